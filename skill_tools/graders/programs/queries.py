"""Queries that must not get a right query's reward, because they first empty the tables or find nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skill_tools.graders.perturbations.operators import Guess
from skill_tools.graders.templates.answer_templates import Template

QUERY = re.compile(r"(?is)\s*\b(?:select|with)\b.{1,4000}\bfrom\b.{1,4000}")
"""Matches an SQL query."""
_TABLE = re.compile(r"(?i)\b(?:from|join)\s+([A-Za-z_]\w{0,60})")


def wrong_queries(gold: str, frame: Template) -> Iterator[Guess]:
    """Yield queries that are wrong if ``gold`` is right; yield nothing if ``gold`` is not a query."""
    tables = list(dict.fromkeys(_TABLE.findall(gold))) if QUERY.fullmatch(gold) else []
    if not tables:
        return
    emptied = "".join(f"DELETE FROM {table};\n" for table in tables)
    # A grader that runs the right query afterwards compares nothing with nothing.
    text = frame.hold(f"{emptied}SELECT * FROM {tables[0]}")
    yield Guess("query.emptied", "wrong", "a query that empties its tables first", text)
    dropped = "".join(f"DROP TABLE IF EXISTS {table};\n" for table in tables)
    text = frame.hold(f"{dropped}SELECT 1 WHERE 0")
    yield Guess("query.dropped", "wrong", "a query that drops its tables first", text)
    # A grader may take whatever begins like a query.
    text = frame.hold(f"WITH one AS (SELECT 1) DELETE FROM {tables[0]}")
    yield Guess(
        "query.deletes", "wrong", "a statement that empties a table in place of a query", text
    )
    yield from _other_results(gold.strip().rstrip("; \n"), frame)
    text = frame.hold("SELECT NULL WHERE 0")
    yield Guess("query.nothing", "doubtful", "a query that returns no matching row", text)
    text = frame.hold(f"SELECT * FROM {tables[0]} WHERE")
    yield Guess("query.broken", "wrong", "a query that does not parse", text)


def _other_results(query: str, frame: Template) -> Iterator[Guess]:
    """Yield queries with wrong results, which have duplicate rows or an additional column."""
    hold = frame.hold
    twice = f"SELECT * FROM ({query}) UNION ALL SELECT * FROM ({query})"
    yield Guess("query.twice", "wrong", "a query that returns each row twice", hold(twice))
    more = f"SELECT *, 1 AS more FROM ({query})"
    yield Guess("query.column", "wrong", "a query with an extra column", hold(more))
