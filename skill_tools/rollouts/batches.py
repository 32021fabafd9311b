"""The order of a study's samples, in batches: sample 0 of every task comes first."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import ceil

BATCH = 64
"""Maximum episodes per batch: enough to outweigh the seconds of a process start, and few compared
with a study."""
TRIES = 2
"""Consecutive attempts at an episode that fails, before its task is left out of later batches."""

Place = tuple[int, int]
"""An episode: the index of its task, and its sample number."""


@dataclass(frozen=True)
class SampleBatch:
    """The missing samples 0 to ``samples`` - 1 of each task from first to last, which one process plays."""

    first: int
    last: int
    samples: int
    places: tuple[Place, ...]
    """The missing episodes that this batch's process plays."""


@dataclass(frozen=True)
class Wanted:
    """The episodes that a study needs: a number of samples for each task index in ``tasks``."""

    tasks: Collection[int]
    samples: int

    @property
    def episodes(self) -> int:
        """Number of wanted episodes."""
        return len(self.tasks) * self.samples

    def left(self, there: Collection[Place]) -> list[Place]:
        """Return the missing episodes in playing order. ``there`` has the existing episodes."""
        every = ((i, s) for s in range(self.samples) for i in sorted(self.tasks))
        return [place for place in every if place not in there]


def next_batch(
    wanted: Wanted, there: Collection[Place], failures: dict[Place, int], size: int
) -> SampleBatch | None:
    """Return a batch of at most ``size`` of the next episodes, or None if no playable episode is left.

    Args:
        there: The episodes that have a score.
        failures: How often each episode without a score failed in this run. Failed episodes are retried last,
            except that a process plays all missing episodes of its tasks.
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
    # Combine small rounds, because a process takes time to start.
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
    """Limits of a study, in episodes and tokens over the study's whole file; None means no limit.

    Attributes:
        ci_halfwidth: The study ends when half the width of pass@1's confidence interval is at most this number.
    """

    episodes: int | None = None
    tokens: int | None = None
    ci_halfwidth: float | None = None

    def size(self, started: int, tokens: int, at_once: int) -> int:
        """Return the maximum size of the next batch, or 0 if no episode may start.

        Args:
            started: Episodes so far.
            tokens: Tokens so far.
            at_once: Number of concurrent episodes. If tokens are limited, the first batch has this size, because the
                tokens per episode are not known yet.
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
