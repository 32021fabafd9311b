"""Texts that are nearly the same: most of their words, those of a template counted less."""

from __future__ import annotations

from array import array
from collections import Counter
from math import log

from skill_tools.graders.datasets.table import Table

NEAR = 0.6
"""Weighted Jaccard of words and pairs of words from which two questions are nearly the same: one word in
eight differs."""
NEAR_OF_FEW = 0.75
"""The same where few answers are shared by all, or none are known, so that the same answer says little."""
LEAST = 9
"""Words and pairs of words below which a text is too short to be nearly another one."""
MOST_BITS = 24
"""Bits of a hash at the most that choose its counter of rows that have a word or pair: 64 MB of counters."""
RARE = 3
"""Words or pairs that few rows have and both must share: what all share is a template's."""
MOST_POSTED = 24
"""Rows that are kept as candidates for one word or pair: of a thousand near copies each finds one of the first."""
MOST_COMPARED = 8
"""Candidates of a row that are compared with it, those that share most first. Both bound the time."""
GROUP_BITS = 48
"""Bits of a group's hash that are kept."""


class NearIndex:
    """Finds rows that have nearly all words of a text.

    A word weighs the more the fewer rows have it, so that the words of a template weigh little. What two
    texts must share, one of the rarest words of each holds (prefix filtering): all pairs are found, except
    where MOST_POSTED or MOST_COMPARED cut them off.
    """

    def __init__(self, table: Table, near: float) -> None:
        """Index the rows of ``table``; ``near`` is the weighted Jaccard from which texts are near."""
        rows = len(table)
        self._table, self._limit = table, near
        self._shared = count_features(table)
        self._mask = len(self._shared) - 1
        most = max(self._shared, default=0)
        self._weights = [0.0, *(log(1 + rows / n) for n in range(1, max(1, most) + 1))]
        # What so many rows have is a template's, or a piece of a board.
        self._common = max(3, min(12, rows // 3), rows // 10)
        # One row as itself, as most are alone: a list for each would take half of the memory.
        self._posted: dict[int, int | list[int]] = {}
        self._totals = array("d", bytes(8 * rows))

    def add(self, row: int, group: int) -> None:
        """Let a row be found by texts from outside of the table."""
        rarest = self._rarest(self._table.features[row])
        if len(rarest) >= LEAST:
            self._totals[row] = self._weigh(rarest)
            for key in self._prefix(rarest, self._totals[row], group):
                self._post(key, row)

    def find(self, features: array[int], group: int, row: int | None = None) -> list[int]:
        """The rows of a group that are near to a text, those that share most first.

        If the text is that of ``row``, later texts find it, too.
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
        """Words in one number each, the count first, as numbers are sorted sooner than pairs."""
        counts = ((max(1, self._shared[each & self._mask]), each) for each in features)
        return sorted([count << 32 | each for count, each in counts])

    def _weigh(self, rarest: list[int]) -> float:
        return sum([self._weights[both >> 32] for both in rarest])

    def _prefix(self, rarest: list[int], total: float, group: int, fewest: int = 1) -> list[int]:
        """Keys of the words of which a near text has one; those that fewer than ``fewest`` rows have are left out."""
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
        """Whether the weighted Jaccard of two texts' words is enough, and rare ones are among what they share."""
        near = self._limit
        if min(one, other) < near * max(one, other):
            return False
        both = [own[each] for each in others if each in own]
        weight = sum(self._weights[count] for count in both)
        rare = sum(count <= self._common for count in both)
        return rare >= RARE and weight >= near * (one + other - weight)


def count_features(table: Table) -> array[int]:
    """How many rows have each word or pair, by the last bits of its hash; as many counters as a power of two."""
    every = sum(map(len, table.features))
    size = 1 << min(MOST_BITS, max(8, every.bit_length() + 1))
    shared, mask = array("I", bytes(4 * size)), size - 1
    for features in table.features:
        for each in features:
            shared[each & mask] += 1
    return shared
