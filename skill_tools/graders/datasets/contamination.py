"""Questions that also occur in held-out files: as a whole, by thirteen consecutive words, or nearly unchanged."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

from skill_tools.evidence.grading.rows import MOST_EXAMPLES, RowCount, RowExample
from skill_tools.graders.datasets.files import texts_of
from skill_tools.graders.datasets.near_copies import NEAR_OF_FEW, NearIndex
from skill_tools.graders.datasets.normalization import digest, words
from skill_tools.graders.datasets.table import MOST_WORDS, Table, excerpt, features_of, hash_numbers

WORDS = 13
"""Number of consecutive words to compare, as GPT-3's authors and most later ones do: fewer match by chance."""
LEAST = 5
"""Minimum words of a question to compare as a whole: shorter ones match by chance."""
BITS = 1 << 27
"""Size of the bit set of word runs in the files: 16 MB, of which a benchmark sets one in a hundred."""
MOST_RUNS = 500_000
"""Maximum number of kept word runs that rows and files may share: bounds the memory."""
TEMPLATE = 0.02
"""Share of rows, if there are many, from which a run of words in them belongs to a template, not to a question."""
LEAST_TEMPLATE = 20
"""Minimum number of rows for that share."""
OF_FEW = 0.3
"""That share (see ``TEMPLATE``) if there are few rows."""
LEAST_OF_FEW = 3
"""Minimum number of rows for that share."""
SHARED = 0.85
"""Minimum share of the shorter text's words in shared runs: a single run may be a common phrase."""
LONG = 60
"""Number of words in shared runs that is enough in any case."""
Where = tuple[int, str, str, str, str]
"""A row's match in a file: number of words (0 unless by runs), kind, file name, row, and an excerpt."""
MASK = (1 << 64) - 1
"""Bits of a run's hash."""
BASE = 0x9E3779B97F4A7C15
"""Base of the rolling hash: odd, and without a pattern in its bits."""
MIX = 0xBF58476D1CE4E5B9
"""Spreads the 32 bits of a word's hash."""
DROP = pow(BASE, WORDS, 1 << 64)
"""Factor for the word that leaves a run."""


class OverlapIndex:
    """An index that finds rows whose texts are in held-out files.

    The index reads the files twice: first to hash their runs of consecutive words and, once the rows are known,
    to find the rows' runs in the files. Memory therefore does not grow with the files.
    """

    def __init__(self, files: Sequence[Path]) -> None:
        self.files = files
        self.maybe = bytearray(BITS // 8) if files else bytearray()
        self.runs: dict[int, list[int]] = {}
        self.wholes: dict[int, list[int]] = {}
        self.lengths: array[int] = array("L")
        for path in files:
            for _, text in texts_of(path):
                found = words(text)
                for run in (*_runs(found), _whole(found)):
                    self.maybe[(run >> 3) & (BITS // 8 - 1)] |= 1 << (run & 7)

    def add(self, at: int, found: Sequence[str]) -> None:
        """Add the row numbered ``at``, whose words are ``found``."""
        self.lengths.append(len(found))
        if not self.files or len(self.runs) > MOST_RUNS:
            return
        for run in _runs(found):
            if self._may_be(run):
                self.runs.setdefault(run, []).append(at)
        if len(found) >= LEAST and self._may_be(whole := _whole(found)):
            self.wholes.setdefault(whole, []).append(at)

    def counted(self, table: Table) -> list[RowCount]:
        """Count the rows of each split whose text is in a held-out file, by file and kind of match."""
        few = max(LEAST_OF_FEW, OF_FEW * len(table))
        most = min(max(LEAST_TEMPLATE, TEMPLATE * len(table)), few)
        runs = {run: rows for run, rows in self.runs.items() if len(rows) <= most}
        place: dict[int, Where] = {}
        near = _index(table) if self.files else None
        for path in self.files:
            for number, text in texts_of(path):
                found = words(text)
                here = _runs(found)
                shared = _covered(here, runs)
                there = (path.name, f"{path.name}:{number}", excerpt(text))
                for row in self.wholes.get(_whole(found), ()):
                    if row not in place or place[row][1] != "whole":
                        place[row] = (0, "whole", *there)
                for row, count in shared.items():
                    enough = count >= min(SHARED * min(len(found), self.lengths[row]), LONG)
                    if enough and (
                        row not in place or (place[row][1] != "whole" and place[row][0] < count)
                    ):
                        place[row] = (count, "ngram", *there)
                if near:
                    features = features_of(found[:MOST_WORDS])
                    for row in near.find(features, hash_numbers(found)):
                        place.setdefault(row, (0, "near_apart", *there))
        return _counted(table, place)

    def _may_be(self, run: int) -> int:
        return self.maybe[(run >> 3) & (BITS // 8 - 1)] & (1 << (run & 7))


def _index(table: Table) -> NearIndex:
    """Return an index that finds, for a text, similar rows with the same numbers. Answers are not compared."""
    index = NearIndex(table, NEAR_OF_FEW)
    for row, numbers in enumerate(table.numbers):
        index.add(row, numbers)
    return index


def _covered(here: Sequence[int], runs: dict[int, list[int]]) -> Counter[int]:
    """Return, by row, the number of a text's words in runs that the row also contains."""
    words_of: Counter[int] = Counter()
    end: dict[int, int] = {}
    for position, run in enumerate(here):
        for row in runs.get(run, ()):
            words_of[row] += position + WORDS - max(position, end.get(row, 0))
            end[row] = position + WORDS
    return words_of


def _counted(table: Table, place: dict[int, Where]) -> list[RowCount]:
    groups: Counter[tuple[str, str, str]] = Counter()
    examples: dict[tuple[str, str, str], list[RowExample]] = {}
    for row in sorted(place, key=lambda each: (table.length[each], each)):
        _, kind, file, where, text = place[row]
        key = (kind, table.splits[table.split[row]], file)
        groups[key] += 1
        kept = examples.setdefault(key, [])
        if len(kept) < MOST_EXAMPLES:
            one = table.example(row)
            kept.append(RowExample(one.row, one.text, one.answer, where, text))
    return [
        RowCount(kind, split, rows, table.sizes[split], file, tuple(examples[kind, split, file]))
        for (kind, split, file), rows in groups.items()
    ]


def _runs(found: Sequence[str]) -> list[int]:
    """Return a 64-bit hash of each run of consecutive words."""
    if len(found) < WORDS:
        return []
    ones = [crc32(word.encode("utf-8", "surrogatepass")) for word in found]
    made = []
    value = 0
    # A rolling hash: each word's weight depends on its distance from the end of the run.
    for position, one in enumerate(ones):
        value = (value * BASE + one * MIX) & MASK
        if position >= WORDS:
            value = (value - ones[position - WORDS] * MIX * DROP) & MASK
        if position >= WORDS - 1:
            mixed = (value ^ value >> 29) * MIX & MASK
            made.append(mixed ^ mixed >> 32)
    return made


def _whole(found: Sequence[str]) -> int:
    return digest(" ".join(found))
