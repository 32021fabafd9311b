"""An index of texts that share most of their words; words from a template get less weight."""

from __future__ import annotations

from array import array
from collections import Counter
from math import log

from skill_tools.graders.datasets.table import Table

NEAR = 0.6
"""Weighted Jaccard similarity of words and word pairs from which two questions are nearly identical.

About one word in eight then differs.
"""
NEAR_OF_FEW = 0.75
"""The same if rows share few answers or the answers are unknown, so that equal answers say little."""
LEAST = 9
"""Minimum words and word pairs in a text to compare: shorter texts are too similar."""
MOST_BITS = 24
"""Maximum hash bits that choose a counter of the rows with a word or pair: 64 MB of counters."""
RARE = 3
"""Number of rare words or pairs that both must share: those that all rows share belong to a template."""
MOST_POSTED = 24
"""Maximum candidate rows per word or pair: each of a thousand near copies finds one of the first."""
MOST_COMPARED = 8
"""Maximum candidates to compare with a row, the most similar first. Like ``MOST_POSTED``, it bounds the time."""
GROUP_BITS = 48
"""Bits kept of a group's hash."""


class NearIndex:
    """An index that finds the rows that share nearly all words with a text.

    Rare words weigh more than the words of a template. Similar texts must share one of their rarest
    words (prefix filtering). The index finds all pairs, except those that MOST_POSTED or MOST_COMPARED
    cut off.
    """

    def __init__(self, table: Table, near: float) -> None:
        """Index the rows of ``table``. Texts count as near if their weighted Jaccard similarity is at least
        ``near``."""
        rows = len(table)
        self._table, self._limit = table, near
        self._shared = count_features(table)
        self._mask = len(self._shared) - 1
        most = max(self._shared, default=0)
        self._weights = [0.0, *(log(1 + rows / n) for n in range(1, max(1, most) + 1))]
        # Features of that many rows belong to a template, or to a piece of a board.
        self._common = max(3, min(12, rows // 3), rows // 10)
        # A single row is stored directly, as most are: a list for each would take half of the memory.
        self._posted: dict[int, int | list[int]] = {}
        self._totals = array("d", bytes(8 * rows))

    def add(self, row: int, group: int) -> None:
        """Add a row with its ``group`` (see ``find``), so that texts outside the table can find the row."""
        rarest = self._rarest(self._table.features[row])
        if len(rarest) >= LEAST:
            self._totals[row] = self._weigh(rarest)
            for key in self._prefix(rarest, self._totals[row], group):
                self._post(key, row)

    def find(self, features: array[int], group: int, row: int | None = None) -> list[int]:
        """Return the rows that are near a text and have its ``group`` (a hash of other properties), nearest first.

        If the text belongs to ``row``, later texts will find this row as well.
        """
        rarest = self._rarest(features)
        if len(rarest) < LEAST:
            return []
        total, hits = self._weigh(rarest), Counter[int]()
        if row is not None:
            self._totals[row] = total
        for key in self._prefix(rarest, total, group, fewest=1 if row is None else 2):
            there = self._posted.get(key)
            hits.update([there] if isinstance(there, int) else there or ())
            if row is not None:
                self._post(key, row)
        own = {both & 0xFFFFFFFF: both >> 32 for both in rarest} if hits else {}
        return [
            other
            for other, _ in hits.most_common(MOST_COMPARED)
            if self._is_near(self._table.features[other], own, total, self._totals[other])
        ]

    def _rarest(self, features: array[int]) -> list[int]:
        """Return a text's features, rarest first; the upper bits of each number hold the feature's count."""
        counts = ((max(1, self._shared[each & self._mask]), each) for each in features)
        return sorted([count << 32 | each for count, each in counts])

    def _weigh(self, rarest: list[int]) -> float:
        return sum([self._weights[both >> 32] for both in rarest])

    def _prefix(self, rarest: list[int], total: float, group: int, fewest: int = 1) -> list[int]:
        """Return the keys of rare words; any near text has at least one of these words.

        Words in fewer than ``fewest`` rows are dropped.
        """
        over, keys = total * (1 - self._limit), []
        for both in rarest:
            count, feature = both >> 32, both & 0xFFFFFFFF
            if over < 0 or count > self._common:
                break
            over -= self._weights[count]
            if count >= fewest:
                keys.append(feature << GROUP_BITS | group & ((1 << GROUP_BITS) - 1))
        return keys

    def _post(self, key: int, row: int) -> None:
        there = self._posted.setdefault(key, row)
        if not isinstance(there, list):
            if there != row:
                self._posted[key] = [there, row]
        elif len(there) < MOST_POSTED:
            there.append(row)

    def _is_near(self, others: array[int], own: dict[int, int], one: float, other: float) -> bool:
        """Return whether two texts share rare words and reach the limit of weighted Jaccard similarity."""
        near = self._limit
        if min(one, other) < near * max(one, other):
            return False
        both = [own[each] for each in others if each in own]
        weight = sum(self._weights[count] for count in both)
        rare = sum(count <= self._common for count in both)
        return rare >= RARE and weight >= near * (one + other - weight)


def count_features(table: Table) -> array[int]:
    """Return the number of rows with each feature (a word or word pair), by the last bits of the feature's hash."""
    every = sum(map(len, table.features))
    size = 1 << min(MOST_BITS, max(8, every.bit_length() + 1))
    shared, mask = array("I", bytes(4 * size)), size - 1
    for features in table.features:
        for each in features:
            shared[each & mask] += 1
    return shared
