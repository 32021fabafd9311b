"""A study in numbers: curves of the return over skill, and the returns of players that ignore observations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean, stdev

from pydantic import BaseModel, ConfigDict

from skill_tools.evidence.studied import BlindEpisode, NoisyOracleEpisode, Studied
from skill_tools.evidence.trajectory import return_of

ALL = "all"
"""The curve of all levels together."""
IDLE = "doing nothing"
"""The name in a study of the player that others are compared with."""
CLOSE = 1e-9
"""Returns that differ by less are equal, because they are sums of fractions."""
FEW = 8
"""Minimum number of episodes with one mistake for reporting its cost."""
FEWEST = 3
"""Minimum number of tasks for reporting a player's mean: fewer may be luck."""
SEVERAL = 5
"""Minimum number of tasks for judging a level, or the best of several players."""
BEST = 0.7
"""Share of the oracle's return from which the best of several players is worth a look."""
MOST = 0.95
"""Maximum share of the oracle's return for a blind player."""
WIDE = 1.96
"""Standard errors on each side of a mean in its 95 % interval."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SkillLevel(_Part):
    """The returns of a policy at one level of skill.

    Attributes:
        epsilon: Probability of a random call instead of the oracle's call: 0 is the oracle, 1 is random play.
        mean: The mean return.
        half: Half the width of the mean's 95% interval, over the tasks.
        flat_share: Share of tasks on which all samples have the same return, so that a group of samples teaches
            nothing.
        solved_share: Share of episodes with the maximum return of their task.
        mean_steps: Mean number of calls.
    """

    epsilon: float
    episodes: int
    mean: float
    half: float
    flat_share: float
    solved_share: float
    mean_steps: float


class Curve(_Part):
    """The skill levels from the oracle to random play, on the tasks of one level or on all tasks.

    Attributes:
        rank: Spearman's rank correlation of mean return and skill; 1 if the return always rises with skill.
        slope: Rise of the return from random play to the oracle, by a regression line.
        bottom: Difference between the returns of the second lowest skill level and of random play.
        mistake_cost: Return that the oracle loses by one random call; None if the policy ``mistakes`` played too
            few episodes.
    """

    level: str
    tasks: int
    rungs: list[SkillLevel]
    rank: float
    slope: float
    bottom: float
    mistake_cost: float | None
    mistakes: int

    @property
    def oracle(self) -> SkillLevel:
        """The most skilled level."""
        return self.rungs[0]

    @property
    def random(self) -> SkillLevel:
        """The least skilled level."""
        return self.rungs[-1]

    @property
    def rise(self) -> float:
        """The difference between the mean returns of the oracle and of random play."""
        return self.oracle.mean - self.random.mean


class LazyPlayer(_Part):
    """The returns of a player that ignores observations, on the tasks of one level or on all tasks.

    ``share`` is the player's return divided by the oracle's return on the same tasks. The return of doing nothing
    is subtracted from both.
    """

    words: str
    level: str
    mean: float
    half: float
    share: float
    episodes: int


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of values, and half the width of the mean's 95% interval."""
    half = WIDE * stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
    return fmean(values), half


def draw_curves(studied: Studied) -> list[Curve]:
    """Return the curve of all tasks and, if there are several levels, one curve per level. Failed episodes are left
    out."""
    levels = studied.levels if len(studied.levels) > 1 else []
    return [_draw(studied, level) for level in (ALL, *levels)]


def _draw(studied: Studied, level: str) -> Curve:
    tops = {task.index: task.top for task in studied.tasks if level in (ALL, task.level)}
    episodes = [each for each in studied.climbed if each.index in tops and each.total is not None]
    by_rung: dict[float, list[NoisyOracleEpisode]] = defaultdict(list)
    for each in episodes:
        if each.epsilon is not None:
            by_rung[each.epsilon].append(each)
    rungs = [_rung(epsilon, by_rung[epsilon], tops) for epsilon in sorted(by_rung)]
    skills, means = [1 - rung.epsilon for rung in rungs], [rung.mean for rung in rungs]
    slipped = [return_of(each) for each in episodes if each.epsilon is None and each.randoms == 1]
    known = len(slipped) >= FEW and bool(rungs)
    return Curve(
        level=level,
        tasks=len({each.index for each in episodes}),
        rungs=rungs,
        rank=rank_correlation(skills, means),
        slope=slope(skills, means),
        bottom=means[-2] - means[-1] if len(means) > 1 else 0.0,
        mistake_cost=means[0] - fmean(slipped) if known else None,
        mistakes=len(slipped),
    )


def _rung(
    epsilon: float, episodes: Sequence[NoisyOracleEpisode], tops: Mapping[int, float]
) -> SkillLevel:
    groups: dict[int, list[float]] = defaultdict(list)
    for each in episodes:
        groups[each.index].append(return_of(each))
    by_task = [fmean(group) for group in groups.values()]
    # Tasks vary more than samples do; a single task has only samples.
    mean, half = interval(by_task if len(by_task) > 1 else list(map(return_of, episodes)))
    solved = [return_of(each) >= tops[each.index] - CLOSE for each in episodes]
    return SkillLevel(
        epsilon=epsilon,
        episodes=len(episodes),
        mean=mean,
        half=half,
        flat_share=fmean(_is_flat(group) for group in groups.values()),
        solved_share=fmean(solved),
        mean_steps=fmean(each.steps for each in episodes),
    )


def _is_flat(returns: Sequence[float]) -> bool:
    return max(returns) - min(returns) <= CLOSE


def rank_correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Return Spearman's rank correlation, with ties sharing a rank, or 0.0 if either side does not vary."""
    first, second = _ranks(one), _ranks(other)
    if len(first) < 2:
        return 0.0
    x, y = fmean(first), fmean(second)
    both = sum((a - x) * (b - y) for a, b in zip(first, second, strict=True))
    spread = (sum((a - x) ** 2 for a in first) * sum((b - y) ** 2 for b in second)) ** 0.5
    return both / spread if spread > CLOSE else 0.0


def _ranks(values: Sequence[float]) -> list[float]:
    below = [sum(other < value - CLOSE for other in values) for value in values]
    alike = [sum(abs(other - value) <= CLOSE for other in values) for value in values]
    return [b + (a - 1) / 2 for b, a in zip(below, alike, strict=True)]


def slope(skills: Sequence[float], means: Sequence[float]) -> float:
    """Return the slope of a least-squares line through mean returns over skill, which runs from 0 to 1."""
    if len(skills) < 2:
        return 0.0
    x, y = fmean(skills), fmean(means)
    spread = sum((skill - x) ** 2 for skill in skills)
    return sum((s - x) * (m - y) for s, m in zip(skills, means, strict=True)) / spread


def rate_lazy(studied: Studied, curves: Sequence[Curve]) -> list[LazyPlayer]:
    """Rate each blind player (who ignores observations) on all tasks and on each level. Sort by return."""
    level_of = {task.index: task.level for task in studied.tasks}
    by_words: dict[str, list[BlindEpisode]] = defaultdict(list)
    for each in studied.lazed:
        by_words[each.words].append(each)
    found = []
    for curve in curves:
        if not curve.rungs:
            continue
        rows = {
            words: here
            for words, several in by_words.items()
            if (here := [e for e in several if curve.level in (ALL, level_of.get(e.index))])
        }
        idle = fmean(each.total for each in rows[IDLE]) if IDLE in rows else studied.reward_range[0]
        room = curve.oracle.mean - idle
        for words, here in rows.items():
            if len(here) < min(FEWEST, curve.tasks):
                continue
            mean, half = interval([each.total for each in here])
            found.append(
                LazyPlayer(
                    words=words,
                    level=curve.level,
                    mean=mean,
                    half=half,
                    share=(mean - idle) / room if room > CLOSE else 0.0,
                    episodes=len(here),
                )
            )
    order = [curve.level for curve in curves]
    return sorted(found, key=lambda each: (order.index(each.level), -each.mean))
