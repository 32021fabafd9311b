"""Policies of decreasing skill, from the oracle to random play, and blind players, on the tasks of a split.

All episodes run on the bare domain, in separate processes, within a given time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from statistics import fmean
from time import monotonic
from typing import Any

from skill_tools.errors import DomainError
from skill_tools.evidence.levels import Levels, choose, find_levels, in_order
from skill_tools.evidence.studied import (
    BlindEpisode,
    NoisyOracleEpisode,
    OracleEpisode,
    Studied,
    StudiedTask,
)
from skill_tools.probes.players.blind_baseline import players
from skill_tools.probes.probe import ProbeContext
from skill_tools.probes.surveys import sample_calls
from skill_tools.probes.time_boxed import Inquiry, open_inquiry, refuse_lacking
from skill_tools.runtime.progress import Progress
from skill_tools.spec.model import EnvSpec

RUNGS = (0.0, 0.05, 0.1, 0.2, 0.5, 1.0)
"""The probability of a random call in place of the oracle's at each skill level."""
MANY_TASKS = 6
"""Number of tasks below which the samples per task are reduced first: means over tasks are more informative."""
FEW_TASKS = 3
"""Number of tasks below which the samples are reduced further."""
FEW_SAMPLES = 4
"""Samples per task below which the number of tasks is reduced: smaller groups rarely vary."""
LEAST = 2
"""Minimum samples per task, while there is time: a single sample has no variance."""
PARTS = 3
"""Number of requests per process, each for a part of the tasks, so that progress is visible."""
SOLVING = 0.35
"""Share of the time for the oracle; tasks that do not fit are left out."""
CLIMBING = 0.8
"""Share of the time after which the ladder stops, to leave time for blind players."""


def play_ladder(
    spec: EnvSpec,
    folder: Path,
    *,
    split: str | None,
    tasks: int,
    samples: int,
    seconds: float,
    progress: Progress,
) -> Studied:
    """Play policies of decreasing skill, from the oracle to random play, on some tasks of a split.

    The default split is the first with tasks. If time is short, fewer tasks and samples are played. Raises
    DomainError if the split has no tasks, no episode can be played, or the author's code never ends.
    """
    with open_inquiry(spec, folder, split, seconds) as asking:
        settings = asking.ask_once("read_settings", "reading all tasks")
        levels = find_levels(settings, spec.hidden)
        places = choose(levels.of, tasks)
        progress("domain", f"solving {len(places)} tasks of {asking.split}")
        solved = _solve(asking, places)
        some = affordable(len(solved), samples, _episodes_in(asking, solved))
        most = len(solved) * _per_task(some)
        progress("domain", f"playing up to {most:,} episodes, from oracle to random")
        climbed, solved = _whole(_climb(asking, solved, some, progress), solved)
        progress("domain", "playing without looking")
        lazed = _laze(asking, solved)
        progress("domain", "done")
        return _as_studied(asking, levels, solved, climbed, lazed, (tasks, samples))


def _solve(asking: Inquiry, places: Sequence[int]) -> list[OracleEpisode]:
    """Return the oracle's episodes on the tasks at the given indices, without tasks for which time ran out."""
    top = asking.spec.reward.range[1]
    parts = [{"indices": part, "top": top} for part in _deal(places, asking.workers)]
    replies = asking.ask("play_solutions", "the oracle on some tasks", SOLVING, parts)
    found = chain.from_iterable(filter(None, replies))
    by_place = {each.index: each for each in found}
    for each in by_place.values():
        refuse_lacking(each.kind, each.error)
    if all(each.played.total is None for each in by_place.values()):
        why = next((e.played.failure.message for e in by_place.values() if e.played.failure), "")
        raise DomainError(
            f"no episode of {asking.split} has a return: {why or 'no time was left'}\n"
            "    fix: make `skill-tools check --play` green first"
        )
    return [by_place[place] for place in places if place in by_place]


def _episodes_in(asking: Inquiry, solutions: Sequence[OracleEpisode]) -> float:
    """Estimate how many episodes of noisy oracles fit into the reserved time."""
    each = fmean(solution.took for solution in solutions)
    return asking.until(CLIMBING) * asking.workers / max(each, 1e-4)


def _mistakes(samples: int) -> int:
    """Return the number of episodes per task that measure the cost of one mistake by the oracle."""
    return max(1, samples // 2)


def _per_task(samples: int) -> int:
    """Return how many episodes are played per task, not counting the oracle's own episode."""
    return (len(RUNGS) - 1) * samples + _mistakes(samples)


def affordable(tasks: int, samples: int, episodes: float) -> int:
    """Return the number of samples per task for which the given number of episodes is enough."""
    few = min(samples, FEW_SAMPLES)
    fitting = (
        some
        for most, counts in ((MANY_TASKS, range(samples, few - 1, -1)), (FEW_TASKS, [few]))
        for some in counts
        if min(tasks, most) * _per_task(some) <= episodes
    )
    return next(fitting, min(samples, LEAST))


def _climb(
    asking: Inquiry, solutions: Sequence[OracleEpisode], samples: int, progress: Progress
) -> list[NoisyOracleEpisode]:
    """Play the noisy oracles and return their episodes.

    The oracle without noise is replayed only if it has ``next_call``.
    """
    goes_on = any(each.goes_on for each in solutions)
    rungs: list[tuple[float, int]] = [(epsilon, samples) for epsilon in RUNGS[1:]]
    first = [] if goes_on else [_as_climbed(each) for each in solutions]
    rungs = [(RUNGS[0], 1), *rungs] if goes_on else rungs
    common = {
        "rungs": rungs,
        "mistakes": _mistakes(samples),
        "drawn": sample_calls(asking.spec, "ladder"),
    }
    # One by one if time may run out in between.
    size = 1 if asking.spec.blocking else math.ceil(len(solutions) / asking.workers / PARTS)
    several = [solutions[at : at + size] for at in range(0, len(solutions), size)]
    parts = [common | {"solutions": [(e.index, e.calls) for e in part]} for part in several]

    def told(done: int) -> None:
        progress("domain", f"{min(done * size, len(solutions))} of {len(solutions)} tasks played")

    what = "policies from oracle to random"
    found = filter(None, asking.ask("climb", what, CLIMBING, parts, told))
    return [*first, *chain.from_iterable(found)]


def _deal(several: Sequence[Any], hands: int) -> list[Sequence[Any]]:
    return [part for start in range(hands) if (part := several[start::hands])]


def _as_climbed(solution: OracleEpisode) -> NoisyOracleEpisode:
    played = solution.played
    failure = played.failure.message if played.failure else ""
    found = {"index": solution.index, "epsilon": RUNGS[0], "sample": 0, "randoms": 0}
    return NoisyOracleEpisode.model_validate(
        {**found, "return": played.total, "steps": len(played.steps), "failure": failure}
    )


def _whole(
    climbed: Sequence[NoisyOracleEpisode], solutions: Sequence[OracleEpisode]
) -> tuple[list[NoisyOracleEpisode], list[OracleEpisode]]:
    """Return only the episodes on tasks that were played at least twice at each skill level. If there is no such
    task, return all episodes.
    """
    counts: dict[int, dict[float | None, int]] = {}
    for each in climbed:
        rungs = counts.setdefault(each.index, {})
        rungs[each.epsilon] = rungs.get(each.epsilon, 0) + 1
    whole = {
        index
        for index, rungs in counts.items()
        if all(rungs.get(epsilon, 0) >= LEAST for epsilon in RUNGS[1:])
    } or set(counts)
    return (
        [each for each in climbed if each.index in whole],
        [each for each in solutions if each.index in whole],
    )


def _laze(asking: Inquiry, solutions: Sequence[OracleEpisode]) -> list[BlindEpisode]:
    """Return the blind players' episodes. Each player finishes all tasks before the next player begins."""
    spec = asking.spec
    oracle = {
        label: each.played.trajectory(
            model="oracle", label=label, split=asking.split, index=each.index
        )
        for each in solutions
        if each.played.total is not None and each.calls
        for label in [f"{asking.split}/{each.index}"]
    }
    tops = {f"{asking.split}/{e.index}": e.top for e in solutions}
    ground = ProbeContext(
        oracle=oracle,
        played={},
        tools=spec.tool_rules(),
        most_calls=spec.episode.most_calls,
        top=spec.reward.range[1],
        tops={label: top for label, top in tops.items() if top is not None},
    )
    several = players(ground, [each.index for each in solutions])
    trials = [(who, index, calls) for who, by_index in several for index, calls in by_index.items()]
    # Split each player's tasks over all workers, so that the first player covers all while there is time.
    dealt = _deal(trials, asking.workers)
    parts = [
        {
            "trials": [(index, calls) for _, index, calls in part],
            "drawn": sample_calls(spec, "ladder"),
        }
        for part in dealt
    ]
    replies = asking.ask("laze", "blind players", 1.0, parts)
    return [
        BlindEpisode(words=who, index=index, total=reply[0], steps=reply[1])
        for part, found in zip(dealt, replies, strict=True)
        for (who, index, _), reply in zip(part, found or [], strict=False)
        if reply is not None and reply[0] is not None
    ]


def _as_studied(
    asking: Inquiry,
    levels: Levels,
    solutions: Sequence[OracleEpisode],
    climbed: list[NoisyOracleEpisode],
    lazed: list[BlindEpisode],
    asked: tuple[int, int],
) -> Studied:
    spec = asking.spec
    groups: dict[tuple[int, float | None], int] = {}
    for each in climbed:
        groups[each.index, each.epsilon] = groups.get((each.index, each.epsilon), 0) + 1
    played = min((n for (_, eps), n in groups.items() if eps not in (None, RUNGS[0])), default=0)
    wanted = min(asked[0], len(levels.of))
    return Studied(
        environment=spec.name,
        title=spec.title,
        archetype=spec.archetype,
        split=asking.split,
        size=len(levels.of),
        reward_range=(spec.reward.range[0], spec.reward.range[1]),
        luck=spec.reward.best == "luck",
        levels=in_order(levels.names, {levels.of[each.index] for each in solutions}),
        ordered=levels.ordered,
        goes_on="next_call" if any(each.goes_on for each in solutions) else "solve",
        drawn="valid_calls" if any(each.offers for each in solutions) else "schemas",
        samples=played,
        asked=(wanted, asked[1]),
        seconds=monotonic() - asking.began,
        short=_why_short(len(solutions), played, (wanted, asked[1]), list(solutions)),
        tasks=[
            StudiedTask(
                index=each.index,
                level=levels.of[each.index],
                top=spec.reward.range[1] if each.top is None else each.top,
                error=each.error,
            )
            for each in solutions
        ],
        climbed=climbed,
        lazed=lazed,
    )


def _why_short(
    tasks: int, samples: int, asked: tuple[int, int], solved: list[OracleEpisode]
) -> str:
    fewer = [f"{tasks} of {asked[0]} tasks"] if tasks < asked[0] else []
    fewer += [f"{samples} of {asked[1]} samples"] if samples < asked[1] else []
    if not fewer:
        return ""
    took, solving = fmean(each.took for each in solved), fmean(each.solving for each in solved)
    why = (
        f"the oracle takes {solving:.2g} s to solve a task"
        if solving > took and tasks < asked[0]
        else f"one of the oracle's episodes takes {took:.2g} s"
    )
    return f"{' and '.join(fewer)}: {why}; --seconds N allows more time"
