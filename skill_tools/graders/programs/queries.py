"""Queries that must not earn what a right one does: they empty the tables first, or find nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skill_tools.graders.perturbations.operators import Guess
from skill_tools.graders.templates.answer_templates import Template

QUERY = re.compile(r"(?is)\s*(?:select|with)\b.{1,4000}\bfrom\b.{1,4000}")
"""A right answer that is a query in SQL."""
_TABLE = re.compile(r"(?i)\b(?:from|join)\s+([A-Za-z_]\w{0,60})")


def wrong_queries(gold: str, frame: Template) -> Iterator[Guess]:
    """Queries that are wrong where ``gold`` is right; none where that is no query."""
    tables = list(dict.fromkeys(_TABLE.findall(gold))) if QUERY.fullmatch(gold) else []
    if not tables:
        return
    emptied = "".join(f"DELETE FROM {table};\n" for table in tables)
    # Who runs it where the right query is run afterwards compares nothing with nothing.
    text = frame.hold(f"{emptied}SELECT * FROM {tables[0]}")
    yield Guess("query.emptied", "wrong", "a query that empties its tables first", text)
    dropped = "".join(f"DROP TABLE IF EXISTS {table};\n" for table in tables)
    text = frame.hold(f"{dropped}SELECT 1 WHERE 0")
    yield Guess("query.dropped", "wrong", "a query that drops its tables first", text)
    yield from _other_results(gold.strip().rstrip("; \n"), frame)
    text = frame.hold("SELECT NULL WHERE 0")
    yield Guess("query.nothing", "doubtful", "a query that finds nothing", text)
    text = frame.hold(f"SELECT * FROM {tables[0]} WHERE")
    yield Guess("query.broken", "wrong", "a query that does not parse", text)


def _other_results(query: str, frame: Template) -> Iterator[Guess]:
    """Queries that find something else: rows twice, a column more, without a condition, in another order."""
    hold = frame.hold
    twice = f"SELECT * FROM ({query}) UNION ALL SELECT * FROM ({query})"
    yield Guess("query.twice", "wrong", "a query that finds each row twice", hold(twice))
    more = f"SELECT *, 1 AS more FROM ({query})"
    yield Guess("query.column", "wrong", "a query with a column more", hold(more))
    strange = f"SELECT * FROM ({query}) UNION ALL SELECT {', '.join(['987654'] * _columns(query))}"
    if _columns(query):
        yield Guess("query.row", "wrong", "a query with a row more", hold(strange))
    other = f"SELECT {', '.join(['987654'] * max(1, _columns(query)))}"
    yield Guess("query.other", "wrong", "a query that finds something else", hold(other))
    if " WHERE " in query.upper() and query.upper().count("SELECT") == 1:
        every = re.sub(r"(?is)\bWHERE\b.*?(?=\bGROUP BY\b|\bORDER BY\b|\bLIMIT\b|$)", "", query)
        yield Guess("query.all", "doubtful", "a query without its condition", hold(every.strip()))
    if turned := _turned(query):
        yield Guess(
            "query.turned", "wrong", "a query that finds its rows in the other order", hold(turned)
        )


def _columns(query: str) -> int:
    """How many columns a plain query finds; 0 where that is not seen at once."""
    found = re.match(r"(?is)\s*SELECT\s+(?:DISTINCT\s+)?(.*?)\s+FROM\b", query)
    if not found or "*" in re.sub(r"\(\s*\*\s*\)", "", found[1]):
        return 0
    inner = re.sub(r"\([^()]*\)", "", re.sub(r"\([^()]*\)", "", found[1]))
    return 0 if "(" in inner else inner.count(",") + 1


def _turned(query: str) -> str:
    """A query with the other order at its end; "" where it has none, or only so many rows are asked for."""
    found = re.search(r"(?is)\bORDER BY\b([^()]*)$", query)
    if not found or "LIMIT" in found[1].upper():
        return ""
    keys = [re.sub(r"(?i)\s+(ASC|DESC)\s*$", "", key) for key in found[1].split(",")]
    was = [bool(re.search(r"(?i)\bDESC\s*$", key)) for key in found[1].split(",")]
    turned = ", ".join(
        f"{key.strip()} {'ASC' if d else 'DESC'}" for key, d in zip(keys, was, strict=True)
    )
    return f"{query[: found.start()]}ORDER BY {turned}"
