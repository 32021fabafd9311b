"""Evidence of studies that are made up: a sound one, and one that is broken for each check."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from skill_tools.evidence.declaration import Declaration
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.studied import BlindEpisode, NoisyOracleEpisode, Studied, StudiedTask

EPSILONS = (0.0, 0.05, 0.1, 0.2, 0.5, 1.0)
Pays = Callable[[int, float, int], float | None]
"""What a sample earns: by the task's place, the share of random calls, the sample's number."""


def steady(index: int, epsilon: float, sample: int) -> float:
    """Seven of eight samples win at 5%, one of eight at random: the usual case."""
    return float(sample >= {0.0: 0, 0.05: 1, 0.1: 1, 0.2: 2, 0.5: 4, 1.0: 7}[epsilon])


def seen(
    pays: Pays = steady,
    *,
    tasks: int = 12,
    levels: tuple[str, ...] = ("all",),
    slipped: float = 0.5,
    lazy: dict[str, float] | None = None,
    **more: Any,
) -> Studied:
    """What a study of so many tasks saw, each level in turn; ``slipped`` is earned with one mistake."""
    climbed = [
        {"index": i, "epsilon": epsilon, "sample": k, "return": pays(i, epsilon, k), "steps": 4}
        | {"randoms": 0, "failure": "" if pays(i, epsilon, k) is not None else "it broke"}
        for i in range(tasks)
        for epsilon in EPSILONS
        for k in range(8 if epsilon else 1)
    ]
    climbed += [
        {"index": i, "epsilon": None, "sample": k, "return": slipped, "steps": 5, "randoms": 1}
        for i in range(tasks)
        for k in range(4)
    ]
    known: dict[str, Any] = {"environment": "made_up", "title": "Made up", "split": "train"}
    known |= {"archetype": "pure-python-game", "size": 100, "reward_range": (0.0, 1.0)}
    known |= {"luck": False, "ordered": True, "goes_on": "next_call", "drawn": "schemas"}
    known |= {"samples": 8, "asked": (tasks, 8), "seconds": 3.2, "short": ""}
    players = {"doing nothing": 0.0, **(lazy or {})}
    return Studied(
        **known | more,
        levels=list(levels),
        tasks=[StudiedTask(index=i, level=levels[i % len(levels)], top=1.0) for i in range(tasks)],
        climbed=[NoisyOracleEpisode.model_validate(each) for each in climbed],
        lazed=[
            BlindEpisode(words=words, index=i, total=total, steps=1)
            for words, total in players.items()
            for i in range(tasks)
        ],
    )


def study_of(studied: Studied, bound: float | None = None, **declared: Any) -> Evidence:
    """The evidence that is a study alone."""
    declaration = Declaration(name="made_up", **declared)
    return Evidence(declaration, studied=studied.model_copy(update={"bound": bound}))


def when(earned: float, chosen: Callable[[int, float, int], bool]) -> Pays:
    """What samples that are chosen earn in place of the usual."""
    return lambda i, epsilon, k: earned if chosen(i, epsilon, k) else steady(i, epsilon, k)


BROKEN: dict[str, tuple[str, Studied]] = {
    "LRN001": ("fail", seen(lambda i, e, k: None if i == 2 and e == 0.5 else steady(i, e, k))),
    "LRN002": ("fail", seen(when(0.0, lambda i, e, k: i == 3))),
    "LRN003": ("warn", seen(when(0.5, lambda i, e, k: i == 3 and e == 0))),
    "LRN004": ("warn", seen(when(1.0, lambda i, e, k: i < 4))),
    "LRN005": (
        "warn",
        seen(
            lambda i, e, k: min(1.0, steady(i, e, k) + 0.4 * (i % 2)),
            levels=("easy", "hard"),
        ),
    ),
    "LRN006": ("fail", seen(lambda i, e, k: float((i + k) % 2))),
    "LRN007": ("fail", seen(lazy={"only left()": 1.0})),
    "LRN008": ("warn", seen(lambda i, e, k: steady(i, 1.0 if e == 0.5 else e, k), slipped=0.1)),
    "LRN009": ("warn", seen(lambda i, e, k: steady(i, e, k) * (e <= 0.1))),
    "LRN010": ("note", seen(when(0.0, lambda i, e, k: 0 < e < 1), goes_on="solve", slipped=0.9)),
}
"""For each check of a study its level, and what a study saw in which it has something to find."""
