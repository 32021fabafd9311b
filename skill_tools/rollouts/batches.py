"""In which order the samples of a study are played: sample 0 of every task first, in batches."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import ceil

BATCH = 64
"""Episodes of a batch at most: a process that starts in seconds is then little next to them, and
what a batch may be too many is little next to a study."""
TRIES = 2
"""How often an episode that fails is played in one go, before its task is left out of all that follows."""

Place = tuple[int, int]
"""Index of a task, and sample."""


@dataclass(frozen=True)
class SampleBatch:
    """What one process plays: of the tasks first to last the samples before ``samples``, but for those there."""

    first: int
    last: int
    samples: int
    places: tuple[Place, ...]
    """What is not there yet, and so is played."""


@dataclass(frozen=True)
class Wanted:
    """The episodes that a study wants: so many samples of each of these tasks, by their indices."""

    tasks: Collection[int]
    samples: int

    @property
    def episodes(self) -> int:
        """How many these are."""
        return len(self.tasks) * self.samples

    def left(self, there: Collection[Place]) -> list[Place]:
        """What is not there, in the order in which it is to be played."""
        every = ((i, s) for s in range(self.samples) for i in sorted(self.tasks))
        return [place for place in every if place not in there]


def next_batch(
    wanted: Wanted, there: Collection[Place], failures: dict[Place, int], size: int
) -> SampleBatch | None:
    """The next episodes, ``size`` at most; None where nothing is left that can be played.

    there: the episodes that have a score. failures: how often others failed in this go. They are
    played again after all others, or along with them: a process plays all that its tasks lack.
    """
    broken = {index for (index, _), times in failures.items() if times >= TRIES}
    whole = set(wanted.tasks) - broken
    left = [place for place in wanted.left(there) if place[0] in whole]
    if not left or size < 1:
        return None
    index, sample = min(left, key=lambda place: (failures.get(place, 0), place[1], place[0]))
    lacking = set(left)

    def lacks(at: int, samples: int) -> list[Place]:
        return [(at, s) for s in range(samples) if (at, s) in lacking]

    samples = sample + 1
    while samples > 1 and len(lacks(index, samples)) > size:
        samples -= 1
    last, places = index, lacks(index, samples)
    while last + 1 in whole:
        more = lacks(last + 1, samples)
        if len(places) + len(more) > size:
            break
        last, places = last + 1, places + more
    # Where a round is few enough, others with it: a process takes its time to start.
    while samples < wanted.samples and not any(
        s < samples and not index <= at <= last for at, s in left
    ):
        ends = [index, last, *(at for at, s in left if s == samples)]
        around = range(min(ends), max(ends) + 1)
        more = [place for at in around for place in lacks(at, samples + 1)]
        if len(more) > size or not whole.issuperset(around):
            break
        index, last, samples, places = around[0], around[-1], samples + 1, more
    return SampleBatch(index, last, samples, tuple(places))


@dataclass(frozen=True)
class Budget:
    """How much a study may play: episodes and tokens of the whole file; None is no bound.

    ci_halfwidth: half the width of the interval of pass@1 at which it is known well enough.
    """

    episodes: int | None = None
    tokens: int | None = None
    ci_halfwidth: float | None = None

    def size(self, started: int, tokens: int, at_once: int) -> int:
        """Episodes that the next batch may have; 0 where nothing may be started.

        started and tokens: what was played so far. at_once: how many run at the same time; so many
        are the first where tokens are bounded, as it is not known yet what one takes.
        """
        most = BATCH
        if self.episodes is not None:
            most = min(most, self.episodes - started)
        if self.tokens is not None and tokens >= self.tokens:
            return 0
        if self.tokens is not None:
            usual = tokens / started if started else 0
            most = min(most, ceil((self.tokens - tokens) / usual) if usual else at_once)
        return max(0, most)
