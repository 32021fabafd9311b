"""The shape of rows: empty fields, lengths, writing systems, and answers contained in their questions."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from functools import lru_cache
from statistics import median
from typing import Any

from skill_tools.evidence.grading.rows import RowCount
from skill_tools.graders.datasets.table import Table, Text

NOTHING = frozenset({"", "nan", "null", "none", "n/a", "[empty]"})
"""Texts that programs write for missing values; ``none`` and ``n/a`` count only for questions."""
ANSWERED = frozenset({"none", "n/a", "null"})
"""The texts among these that may be answers."""
FAR = 20
"""Multiple of the median length from which a question is far longer than others."""
LONG = 2_000
"""Minimum characters in a question for it to be far too long."""
LOOKED = 400
"""Characters of a question that determine its script."""
LEAST_LETTERS = 8
"""Minimum letters in a text for it to have a script."""
FEWEST = 3
"""Minimum characters in an answer for it not to be in its question by chance."""
_LETTERS = re.compile(r"[^\W\d_]")


class Shapes:
    """A counter of rows by shape, which is filled while the rows are read."""

    def __init__(self) -> None:
        self.no_question: list[int] = []
        self.no_answer: list[int] = []
        self.within: dict[int, int] = defaultdict(int)
        self.first_within: dict[int, int] = {}
        self.answered: dict[int, int] = defaultdict(int)
        self.scripts: dict[int, Counter[str]] = defaultdict(Counter)
        self.first_of: dict[tuple[int, str], int] = {}

    def add(self, at: int, split: int, text: Text, answer: Any, options: bool) -> None:
        """Examine row ``at``. ``options`` states whether the row has a list of possible answers."""
        if text.question.strip().lower() in NOTHING and text.whole.strip().lower() in NOTHING:
            self.no_question.append(at)
        if _is_nothing(answer):
            self.no_answer.append(at)
        elif isinstance(answer, str) and FEWEST <= len(answer.strip()) <= LONG and not options:
            self.answered[split] += 1
            if (
                not _LISTED.search(text.question)
                and answer.strip().lower() in text.question.lower()
            ):
                self.within[split] += 1
                self.first_within.setdefault(split, at)
        script = script_of(text.question[:LOOKED])
        if script:
            self.scripts[split][script] += 1
            self.first_of.setdefault((split, script), at)

    def counted(self, table: Table, *, answers: bool) -> list[RowCount]:
        """Return the number of rows of each shape. ``answers`` states whether the rows have a field with answers."""
        found = table.count("no_question", ((row, None) for row in self.no_question))
        if answers:
            found += table.count("no_answer", ((row, None) for row in self.no_answer))
        found += table.count("long", ((row, None) for row in _far_longer(table)))
        for split, rows in self.within.items():
            example = (table.example(self.first_within[split]),)
            of = self.answered[split]
            found.append(RowCount("in_question", table.splits[split], rows, of, "", example))
        for split, scripts in self.scripts.items():
            (usual, _), *others = scripts.most_common()
            for script, rows in others:
                example = (table.example(self.first_of[split, script]),)
                of, name = scripts.total(), table.splits[split]
                detail = f"{script}, most in {usual}"
                found.append(RowCount("script", name, rows, of, "", example, detail))
        return found


_LISTED = re.compile(
    r"^\s{0,8}\(?[A-Ea-e1-5][).:]\s|\b(?:options|choices|choose|either)\b",
    re.MULTILINE | re.IGNORECASE,
)
"""Signs that a question offers answers."""


def _is_nothing(answer: Any) -> bool:
    if isinstance(answer, float) and math.isnan(answer):
        return True
    text = answer.strip().lower() if isinstance(answer, str) else answer
    return text is None or (isinstance(text, str) and text in NOTHING - ANSWERED)


def _far_longer(table: Table) -> list[int]:
    if not len(table):
        return []
    least = max(LONG, FAR * median(table.length))
    return [row for row, length in enumerate(table.length) if length > least]


def script_of(text: str) -> str:
    """Return the writing system of most letters, such as LATIN or CYRILLIC; "" if the text has too few letters."""
    if text.isascii():
        return "LATIN" if len(text) > LEAST_LETTERS * 2 else ""
    letters = _LETTERS.findall(text)
    if len(letters) < LEAST_LETTERS:
        return ""
    (script, _), *_ = Counter(map(_script, letters)).most_common(1)
    return script


@lru_cache(maxsize=20_000)
def _script(letter: str) -> str:
    name = unicodedata.name(letter, "").partition(" ")[0]
    return "CJK" if name in ("HIRAGANA", "KATAKANA") else name
