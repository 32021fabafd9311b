"""Defects in the answers of rows: conflicting answers to a question, or one dominant answer."""

from __future__ import annotations

from collections import Counter, defaultdict

from skill_tools.evidence.grading.rows import AnswerCount, RowCount
from skill_tools.graders.datasets.table import Table

DESIGNED = 0.5
"""Share of repeated questions with other answers from which this is intended, with a row per right answer."""
REPEATED = 0.2
"""Minimum share of rows that must repeat a question for that: a few repeats may be mistakes."""

LONG = -1
"""Stands for every answer that is not a label; hashes are never negative."""


def count_conflicts(table: Table) -> list[RowCount]:
    """Count the rows that repeat an earlier row's question with a different answer.

    Only short answers (labels) are compared.
    """
    first: dict[int, int] = {}
    pairs: dict[str, list[tuple[int, int | None]]] = defaultdict(list)
    repeats = 0
    for row, form in enumerate(table.loose):
        if not form or not table.short[row]:
            continue
        other = first.setdefault(form, row)
        if other == row:
            continue
        repeats += 1
        if table.answer[other] != table.answer[row]:
            pairs[_kind(table, row, other)].append((row, other))
    conflicts = sum(map(len, pairs.values()))
    if conflicts >= DESIGNED * repeats and repeats >= REPEATED * len(table):
        every = [pair for several in pairs.values() for pair in several]
        return table.count("many_answers", every)
    return [each for kind, several in pairs.items() for each in table.count(kind, several)]


def _kind(table: Table, row: int, other: int) -> str:
    same = table.tight[row] == table.tight[other]
    if not same and table.cased[row] and table.cased[other]:
        return "loose_conflict"
    return "conflict" if table.rest[row] == table.rest[other] else "other_fields"


def count_answers(table: Table) -> dict[str, AnswerCount]:
    """Return the most frequent answer in each split whose answers are mostly short (labels).

    A missing answer counts as a label.
    """
    by_split: dict[int, Counter[int]] = defaultdict(Counter)
    for row, answer in enumerate(table.answer):
        by_split[table.split[row]][answer if table.short[row] or not answer else LONG] += 1
    found = {}
    for split, counts in by_split.items():
        of, long = counts.total(), counts.pop(LONG, 0)
        labels = Counter({answer: count for answer, count in counts.items() if answer})
        if labels and labels.total() >= long:
            (answer, most), *_ = labels.most_common(1)
            row = table.answer.index(answer)
            distinct = len(counts) + bool(long)
            found[table.splits[split]] = AnswerCount(table.answers[row], most, of, distinct)
    return found
