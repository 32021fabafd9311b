"""The facts that the rows of a finding have in common and that the other rows do not have.

Each row has facts about its answer, its prompt and its columns. A fact that holds for exactly the rows of a
finding, and not by chance, points to the cause.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import Any

Test = Callable[[str], bool]
CHANCE = 0.05
"""Maximum probability that one of the facts holds for exactly these rows by chance."""
TIMES = 2
"""Maximum rows with a fact, as a multiple of the affected rows."""
SHORT = 40
"""Maximum characters of a column's value that is a fact."""
COLUMNS = 12
"""Maximum columns whose equality is a fact."""
READ = 2_000
"""Maximum characters of a text to read."""
NUMBER = re.compile(r"[-+\u2212]?\s?[$€£]?\s?(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?\s?%?")
WORD = re.compile(r"[^\W\d_]{3,20}")
SIGN_LETTERS = 12
"""Maximum characters of a sign, number or code in a prompt that is a fact, such as +0100."""
TEXT_SIZES = ("characters", "words")
"""Beginnings of the names of sizes of texts."""
HAS = "whose prompt contains "
LACKS = "whose prompt does not contain "
DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|(?:\d{1,2} )?[A-Z][a-z]{2,8} \d{1,2}?,? ?\d{4}")


EMPTY_VALUE = r'[:\[,]\s*(?:0|false|null|""|\[\]|\{\})\s*[,}\]]'
"""Matches such a value in JSON."""


def _matches(pattern: str) -> Test:
    return lambda text: bool(re.search(pattern, text))


# fmt: off
TESTS: tuple[tuple[str, str, Test], ...] = (
    ("is empty", "is not empty", lambda text: not text.strip(" \n[]{}")),
    ("begins or ends with whitespace", "neither begins nor ends with whitespace", lambda text: text != text.strip()),
    ("is a number", "is not a number", lambda text: bool(NUMBER.fullmatch(text.strip()))),
    ("is a date", "is not a date", lambda text: bool(DATE.fullmatch(text.strip()))),
    ("is zero", "is not zero", _matches(r"^0+(?:\.0+)?$")),
    ("is negative", "is not negative", _matches(r"^[-\u2212]")),
    ("has decimals", "has no decimals", _matches(r"\d\.\d")),
    ("has separators in its numbers", "has no separators in its numbers", _matches(r"\d,\d{3}")),
    ("is a fraction", "is not a fraction", _matches(r"^-?\d+\s?/\s?\d+$|\\[dt]?frac")),
    ("has a currency or percent sign", "has no currency or percent sign", _matches(r"[$€£%]")),
    ("has LaTeX", "has no LaTeX", _matches(r"\\[a-zA-Z]|\^\{")),
    ("has several lines", "has one line", _matches(r"\n")),
    ("has a comma", "has no comma", _matches(r",")),
    ("has letters", "has no letters", _matches(r"[^\W\d_]")),
    ("has digits", "has no digits", _matches(r"\d")),
    ("has capital letters", "has no capital letters", lambda text: text != text.lower()),
    ("has letters beyond ASCII", "has ASCII letters only", lambda text: not text.isascii()),
    ("begins with an article", "begins with no article", _matches(r"(?i)^(?:the|an?) ")),
    ("has several words", "is one word", _matches(r"\S\s+\S")),
    ("has an apostrophe or quotation mark", "has no apostrophe or quotation mark", _matches(r"['\"\u2019\u201c]")),
    ("has a hyphen", "has no hyphen", _matches(r"\w-\w")),
    ("has brackets", "has no brackets", _matches(r"[()\[\]{}]")),
    ("has a value that is 0, false or empty", "has no value that is 0, false or empty", _matches(EMPTY_VALUE)),
    ("ends with a full stop", "ends with no full stop", _matches(r"\.\s*$")),
)
# fmt: on
"""Facts about an answer, in words if they hold and if they do not."""


@dataclass(frozen=True)
class Facts:
    """The facts about a row.

    Attributes:
        holds: The facts as clauses that follow the word "rows", the likeliest cause first.
        sizes: The sizes of the row, by name.
    """

    holds: tuple[str, ...] = ()
    sizes: Mapping[str, float] = field(default_factory=dict)


def columns_of(row: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return the short columns of a row as pairs of name and text.

    A field of an object has a name with a dot. A list becomes its number of items.
    """
    found: list[tuple[str, str]] = []
    for name, value in row.items():
        if isinstance(value, Mapping):
            found += [(f"{name}.{inner}", text) for inner, text in columns_of(value)]
        elif isinstance(value, list):
            found.append((f"{name}", f"a list of {len(value)}"))
        elif value is None or len(str(value)) <= SHORT:
            found.append((str(name), "" if value is None else str(value)))
    return tuple(found)


def facts_of(prompt: str, answer: str, columns: Collection[tuple[str, str]] = ()) -> Facts:
    """Return the facts about one row."""
    text, asked = answer[:READ], prompt[:READ]
    holds = [f"whose answer {yes if test(text) else no}" for yes, no, test in TESTS]
    if script := _script(text):
        holds.append(f"whose answer is in {script} letters")
    inside = bool(text.strip()) and text.casefold() in prompt.casefold()
    holds.append(f"whose answer {'is' if inside else 'is not'} contained in the prompt")
    if script := _script(asked):
        holds.append(f"whose prompt is in {script} letters")
    holds += [
        f"whose {name} is {value!r}" if value else f"without {name}" for name, value in columns
    ]
    words = dict.fromkeys(each.lower() for each in WORD.findall(asked))
    others = dict.fromkeys(each.strip("()[]{}<>\"'`*.,:;!?") for each in asked.split())
    signs = [each for each in others if 1 < len(each) <= SIGN_LETTERS and not each.isalpha()]
    holds += [f"{HAS}{each!r}" for each in (*words, *signs)]
    own = dict.fromkeys(each.lower() for each in WORD.findall(text))
    holds += [f"whose answer contains {each!r}" for each in own]
    several = [(name, value) for name, value in columns if value][:COLUMNS]
    for (one, a), (other, b) in combinations(several, 2):
        holds.append(f"whose {one} {'equals' if a == b else 'differs from'} its {other}")
    return Facts(tuple(holds), dict(_sizes(prompt, answer, columns)))


def _sizes(
    prompt: str, answer: str, columns: Collection[tuple[str, str]]
) -> Iterator[tuple[str, float]]:
    yield "characters in the answer", len(answer)
    yield "words in the answer", len(answer.split())
    yield "characters in the prompt", len(prompt)
    for name, text in (("the answer", answer), *columns):
        try:
            yield name, float(text.replace(",", ""))
        except ValueError:
            continue


def _script(text: str) -> str:
    """Return the writing system of most letters, such as "Cyrillic", or "" if the text has no letters."""
    letters = [each for each in text if each.isalpha()]
    names = [unicodedata.name(each, "").partition(" ")[0].capitalize() for each in letters]
    return max(dict.fromkeys(names), key=names.count) if names else ""


def in_common(facts: Mapping[str, Facts], rows: Collection[str], among: Collection[str]) -> str:
    """Return a fact that holds for ``rows`` and for no other row of ``among``, as in "whose answer is negative".

    Returns "" if there is no such fact, or if these rows may share the fact by chance.
    """
    own, every = set(rows) & facts.keys(), set(among) & facts.keys()
    if not 2 <= len(own) < len(every):
        return ""
    holding = _holding(facts, every)
    ordered = dict.fromkeys(each for row in sorted(own) for each in facts[row].holds)
    exact = [each for each in ordered if holding[each] == own]
    without = {e: rows for e, rows in holding.items() if e.startswith(HAS) and rows.isdisjoint(own)}
    exact += [e.replace(HAS, LACKS) for e, rows in without.items() if rows == every - own]
    named = dict.fromkeys(name for row in sorted(every) for name in facts[row].sizes)
    lines = {name: tuple(facts[row].sizes.get(name) for row in every) for name in named}
    varied = {line: name for name, line in reversed(lines.items()) if len(set(line)) > 1}
    sizes = [name for name in named if name in varied.values()]
    alike = {frozenset(each) for each in holding.values() if len(each) == len(own)}
    rest = {frozenset(e) for e in holding.values() if len(e) == len(every) - len(own)}
    tried = len(alike | rest) + 2 * len(sizes)
    ways = comb(len(every), len(own))
    if tried / ways > CHANCE:
        return ""
    if found := exact[0] if exact else _apart(facts, own, every, sizes):
        return found
    within = tried + len(sizes) * (len(every) - len(own) - 1)
    return _within(facts, own, every, sizes) if within / ways <= CHANCE else ""


def _holding(facts: Mapping[str, Facts], every: Collection[str]) -> dict[str, set[str]]:
    """Return the rows for which each fact holds."""
    holding: dict[str, set[str]] = {}
    for row in every:
        for each in facts[row].holds:
            holding.setdefault(each, set()).add(row)
    return holding


def nearly_in_common(
    facts: Mapping[str, Facts], rows: Collection[str], among: Collection[str]
) -> tuple[str, int]:
    """Return a fact that holds for all ``rows`` and few other rows of ``among``, and the number of rows with it.

    Returns "" and 0 if there is no such fact, or if these rows may share the fact by chance.
    """
    own, every = set(rows) & facts.keys(), set(among) & facts.keys()
    if not 2 <= len(own) < len(every):
        return "", 0
    holding = _holding(facts, every)
    several = {frozenset(each) for each in holding.values() if len(own) <= len(each) < len(every)}
    shared = [each for each in several if own <= each and len(each) <= TIMES * len(own)]
    least = min(shared, key=len, default=None)
    if least is None:
        return "", 0
    chance = len(several) * comb(len(least), len(own)) / comb(len(every), len(own))
    name = next(
        each
        for each in dict.fromkeys(f for r in sorted(own) for f in facts[r].holds)
        if holding[each] == least
    )
    return (name, len(least)) if chance <= CHANCE else ("", 0)


def _apart(
    facts: Mapping[str, Facts], own: set[str], every: set[str], sizes: Collection[str]
) -> str:
    """Return a clause about a size that is larger, or smaller, for exactly these rows."""
    for name in sizes:
        if any(name not in facts[row].sizes for row in every):
            continue
        here = [facts[row].sizes[name] for row in own]
        rest = [facts[row].sizes[name] for row in every - own]
        if min(here) > max(rest):
            above, bound = True, max(rest)
        elif max(here) < min(rest):
            above, bound = False, min(rest)
        else:
            continue
        if name.startswith(TEXT_SIZES):
            return f"with {'more' if above else 'fewer'} than {bound:g} {name}"
        return f"in which {name} is {'above' if above else 'below'} {bound:g}"
    return ""


def _within(
    facts: Mapping[str, Facts], own: set[str], every: set[str], sizes: Collection[str]
) -> str:
    """Return a clause about a size between two bounds for exactly these rows, or "" if there is no such size."""
    for name in sizes:
        if name.startswith(TEXT_SIZES) or any(name not in facts[row].sizes for row in every):
            continue
        here = [facts[row].sizes[name] for row in own]
        if not any(min(here) <= facts[row].sizes[name] <= max(here) for row in every - own):
            return f"in which {name} is from {min(here):g} to {max(here):g}"
    return ""


def clause(
    facts: Mapping[str, Facts], rows: Collection[str], among: Collection[str], noun: str = "tasks"
) -> str:
    """Return a clause for a message about these rows, or "" if the rows have nothing in common."""
    shared = in_common(facts, rows, among)
    if shared:
        return f"; these are all {len(set(rows))} {noun} {shared}"
    nearly, count = nearly_in_common(facts, rows, among)
    return (
        f"; these are {len(set(rows))} of the {count} {noun} {nearly}, and no others"
        if nearly
        else ""
    )
