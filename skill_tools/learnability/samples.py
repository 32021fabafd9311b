"""Statistics about a model and an environment, from several samples of each task."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import comb
from statistics import fmean, median
from typing import Any

from rl_env_harness.records import rollout_statistics

from skill_tools.checks.reading.curves import interval
from skill_tools.evidence.trajectory import Trajectory, return_of
from skill_tools.learnability.sampled import (
    Estimate,
    Expense,
    GroupShares,
    LevelSamples,
    ModelStudy,
    Prices,
    Trouble,
)

LEAST = 1e-9
"""Returns that differ by less are equal."""
PER_PRICE = 1_000_000
"""Number of tokens that a price is for."""
CUT = "cut_off"
CONTEXT = "context_full"
FAILED = "failed"
"""Errors other than refused calls: a truncated message, a full context, no score."""

Place = tuple[str | None, int | None]
"""Split and index of a task."""
TaskKey = tuple[str | None, int | None, str, int]
Groups = Mapping[TaskKey, Sequence[Trajectory]]
"""The episodes with a score, by task and seed."""


def measure(
    trajectories: Sequence[Trajectory],
    *,
    levels: Mapping[Place, str] | None = None,
    threshold: float | None = None,
    prices: Prices | None = None,
) -> ModelStudy:
    """Measure one model's episodes on one environment, without advice.

    If ``levels`` has the level of each task, statistics are also returned per level. Raises ValueError if there are no
    episodes.
    """
    if not trajectories:
        raise ValueError("there is no episode to measure")
    known, first = levels or {}, trajectories[0]
    by_level: dict[str, list[Trajectory]] = defaultdict(list)
    for each in trajectories:
        by_level[known.get((each.split, each.index), "")].append(each)
    order = [name for name in dict.fromkeys(known.values()) if name in by_level]
    floor = min((return_of(each) for each in _scored(trajectories)), default=0.0)
    rows = [
        rollout_statistics.row(t.model_dump(by_alias=True) | {"best": t.most}) for t in trajectories
    ]
    return ModelStudy(
        model=first.model,
        environment=first.environment,
        framework=first.framework,
        split=first.split,
        threshold=threshold,
        overall=_numbers("", trajectories, threshold, floor),
        levels=[_numbers(name, by_level[name], threshold, floor) for name in order if name],
        expense=_expense(trajectories, prices),
        warnings=list(rollout_statistics.warnings(rows)),
    )


def pass_at(k: int, right: int, samples: int) -> float:
    """Return the unbiased probability that at least one of k samples passes, if ``right`` of ``samples`` passed.

    https://arxiv.org/abs/2107.03374. Raises ValueError if k exceeds the number of samples.
    """
    if not 1 <= k <= samples:
        raise ValueError(f"pass@{k} needs at least {k} samples; there are {samples}")
    return 1 - comb(samples - right, k) / comb(samples, k)


def passes(episode: Trajectory, threshold: float | None) -> bool | None:
    """Return whether an episode passed; None if the episode has no score or the threshold for passing is unknown."""
    wanted = episode.most if threshold is None else threshold
    if episode.total is None or wanted is None:
        return None
    return episode.total >= wanted - LEAST


def group(trajectories: Iterable[Trajectory]) -> dict[TaskKey, list[Trajectory]]:
    """Return the episodes with a score, by task and seed."""
    found: dict[TaskKey, list[Trajectory]] = defaultdict(list)
    for each in _scored(trajectories):
        name = each.label.removesuffix(f"#{each.sample}") if each.sample else each.label
        found[(each.split, each.index, name, each.seed)].append(each)
    return found


def tokens_of(episode: Trajectory) -> tuple[int, int] | None:
    """Return the tokens of all prompts and of all replies in an episode; None if no server counted them."""
    counted = [turn["usage"] for turn in episode.turns if turn.get("usage")]
    if not counted:
        return None
    return (
        sum(each.get("input_tokens", 0) for each in counted),
        sum(each.get("output_tokens", 0) for each in counted),
    )


def _scored(trajectories: Iterable[Trajectory]) -> list[Trajectory]:
    return [t for t in trajectories if t.total is not None and t.end != FAILED]


def _numbers(
    level: str, episodes: Sequence[Trajectory], threshold: float | None, floor: float
) -> LevelSamples:
    groups = group(episodes)
    means = [fmean(map(return_of, several)) for several in groups.values()]
    known = [(found.count(True), len(found)) for found in _passed(groups, threshold)]
    return LevelSamples(
        level=level,
        tasks=len({(t.split, t.index, t.seed) for t in episodes}),
        episodes=len(episodes),
        scored=sum(map(len, groups.values())),
        calls=sum(len(t.steps) for t in episodes),
        passed={k: found for k in _powers(known) if (found := _pass_rate(known, k))},
        mean_return=_estimate(means),
        solved=sum(right == samples for right, samples in known),
        unsolved=sum(right == 0 for right, _ in known),
        groups=_group_shares(groups, threshold, floor),
        errors=_errors(episodes),
        ends=dict(Counter(t.end for t in episodes)),
        limits=dict(Counter(t.limit for t in episodes if t.limit)),
    )


def _passed(groups: Groups, threshold: float | None) -> list[list[bool]]:
    """Return, per task, whether each sample passed; tasks with an unknown result are left out."""
    found = [[passes(each, threshold) for each in several] for several in groups.values()]
    return [[bool(one) for one in several] for several in found if None not in several]


def _powers(known: Sequence[tuple[int, int]]) -> list[int]:
    """Return 1, 2, 4 and so on, up to the largest number of samples of any task."""
    most = max((samples for _, samples in known), default=0)
    return [2**power for power in range(most.bit_length())]


def _pass_rate(known: Sequence[tuple[int, int]], k: int) -> Estimate | None:
    return _estimate([pass_at(k, right, samples) for right, samples in known if samples >= k])


def _estimate(values: Sequence[float]) -> Estimate | None:
    if not values:
        return None
    mean, half = interval(values)
    return Estimate(mean=mean, half=half if len(values) > 1 else None, tasks=len(values))


def _group_shares(groups: Groups, threshold: float | None, floor: float) -> GroupShares:
    several = [found for found in groups.values() if len(found) > 1]
    kinds: Counter[str] = Counter()
    for found in several:
        returns = [return_of(each) for each in found]
        if max(returns) - min(returns) > LEAST:
            continue
        low = "lowest" if returns[0] <= floor + LEAST else "between"
        kinds["passed" if passes(found[0], threshold) else low] += 1
    if not several:
        return GroupShares(groups=0)
    shares = {kind: count / len(several) for kind, count in kinds.items()}
    return GroupShares(groups=len(several), zero_gradient=kinds.total() / len(several), **shares)


def _errors(episodes: Sequence[Trajectory]) -> dict[str, Trouble]:
    times: Counter[str] = Counter()
    where: Counter[str] = Counter()
    for each in episodes:
        here = Counter(step.error for step in each.steps if step.error)
        here[CUT] += sum(bool(turn.get("cut")) for turn in each.turns)
        here[CONTEXT] += each.limit == CONTEXT
        here[FAILED] += each.end == FAILED
        times += here
        where.update(kind for kind, count in here.items() if count)
    return {kind: Trouble(times=n, episodes=where[kind]) for kind, n in times.most_common()}


def _expense(episodes: Sequence[Trajectory], prices: Prices | None) -> Expense:
    counted = [found for each in episodes if (found := tokens_of(each))]
    prompt, completion = (sum(found[side] for found in counted) for side in (0, 1))
    by_turn: dict[int, list[int]] = defaultdict(list)
    for each in episodes:
        for number, turn in enumerate(each.turns):
            if (read := (turn.get("usage") or {}).get("input_tokens")) is not None:
                by_turn[number].append(read)
    cost = None
    if prices and counted:
        cost = (prompt * prices.prompt + completion * prices.completion) / PER_PRICE
    return Expense(
        prompt=prompt / len(counted) if counted else None,
        completion=completion / len(counted) if counted else None,
        tokens=prompt + completion,
        seconds=_mean(episodes, lambda each: each.seconds),
        turns=_mean(episodes, lambda each: len(each.turns)),
        context=[median(by_turn[number]) for number in sorted(by_turn)],
        cost=cost,
        cost_per_episode=cost / len(counted) if cost is not None else None,
    )


def _mean(episodes: Sequence[Trajectory], of: Callable[[Trajectory], Any]) -> float:
    return fmean(of(each) for each in episodes)
