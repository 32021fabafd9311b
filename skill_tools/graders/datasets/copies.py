"""Copies among rows, which may be identical, in another form, nearly identical, or with other names."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator

from skill_tools.evidence.grading.rows import RowCount
from skill_tools.graders.datasets.near_copies import NEAR, NEAR_OF_FEW, NearIndex
from skill_tools.graders.datasets.table import Table

Pair = tuple[int, int]


def count_copies(table: Table) -> list[RowCount]:
    """Count the rows that copy an earlier row.

    A row is counted once, as the closest kind of copy, and preferably as a copy across splits.
    """
    left = set(range(len(table)))
    found: dict[str, list[Pair]] = defaultdict(list)

    def take(kind: str, pairs: Iterator[tuple[int, int]]) -> None:
        for row, other in pairs:
            if row in left:
                left.discard(row)
                found[kind].append((row, other))

    take("exact", _alike(table, table.exact, table.rest, table.answer))
    # With another answer, it is a conflict in one split, or the same question in two splits.
    apart = _alike(table, table.exact, table.rest)
    take("exact", (p for p in apart if table.split[p[0]] != table.split[p[1]]))
    take("normalised", _alike(table, table.loose, table.rest, table.answer))
    take("renamed", _renamed(table))
    take("near", _near(table))
    take("asked_again", _alike(table, table.loose, table.answer))
    return [
        each for kind, pairs in found.items() for each in table.count(kind, _turned(table, pairs))
    ]


def _turned(table: Table, pairs: Iterable[Pair]) -> Iterator[Pair]:
    """Yield each pair with the row of the smaller split first, because that is usually the test split.

    Each row occurs only once.
    """
    seen: dict[int, int] = {}
    sizes = [table.sizes[split] for split in table.splits]
    for row, other in pairs:
        turn = sizes[table.split[row]] > sizes[table.split[other]]
        one, two = (other, row) if turn else (row, other)
        if table.split[one] == table.split[two]:
            yield row, other
        elif seen.setdefault(one, two) == two:
            yield one, two


def _alike(table: Table, forms: array[int], *same: array[int]) -> Iterator[tuple[int, int]]:
    """Yield pairs of a row and an earlier row with the same form, preferably a row in another split.

    ``same`` contains further properties that both rows must share.
    """
    first: dict[tuple[int, ...], list[int]] = {}
    for row, form in enumerate(forms):
        if not form:
            continue
        key = (form, *(column[row] for column in same))
        there = first.get(key)
        if there is None:
            first[key] = [row]
            continue
        own = table.split[row]
        other = next((each for each in there if table.split[each] != own), there[0])
        yield row, other
        if all(table.split[each] != own for each in there):
            there.append(row)  # only the first of each split, which bounds the list


def _renamed(table: Table) -> Iterator[tuple[int, int]]:
    """Yield pairs of rows that differ only in names, with the same numbers and answer.

    Rows whose answer depends on the names are left out. Yield nothing if the rows have few different answers.
    """
    if has_few_answers(table):
        return
    first: dict[int, int] = {}
    several = set()
    for form, answer in zip(table.renamed, table.renamed_answer, strict=True):
        if form and first.setdefault(form, answer) != answer:
            several.add(form)
    for row, other in _alike(table, table.renamed):
        alike = table.loose[row] == table.loose[other]
        # Without a known answer, other fields may hold one that differs.
        told = table.answer[row] or table.rest[row] == table.rest[other]
        if not alike and told and table.renamed[row] not in several:
            yield row, other


def has_few_answers(table: Table) -> bool:
    """Return whether the rows have so few distinct answers that equal answers may be due to chance."""
    distinct = len({*table.answer} - {0})
    return 0 < distinct <= FEW and distinct * 4 <= len(table)


FEW = 10
"""Maximum number of distinct answers that counts as few, so that two rows often share one."""


def _near(table: Table) -> Iterator[tuple[int, int]]:
    """Yield pairs of a row and an earlier row that share nearly all words, and the same numbers and answer."""
    known = any(table.answer) and not has_few_answers(table)
    index = NearIndex(table, NEAR if known else NEAR_OF_FEW)
    for row, features in enumerate(table.features):
        same = hash((table.answer[row], table.numbers[row], table.rest[row]))
        if found := index.find(features, same, row):
            yield row, next((o for o in found if table.split[o] != table.split[row]), found[0])
