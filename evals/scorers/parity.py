"""The same hidden episode shows and pays the same in every framework that was asked for."""

from __future__ import annotations

from typing import Any

from evals.attempt import Attempt, Played
from evals.case import Case
from evals.expectation import Expectation


def score(case: Case, attempt: Attempt) -> list[Expectation]:
    """One expectation per episode; unscored where there is one framework only."""
    if len(attempt.frameworks) < 2:
        return [_one("episodes", None, "one framework was asked for: nothing to compare")]
    return [
        _one(episode.name, *_same(episode.name, attempt), episode.name) for episode in case.episodes
    ]


def _same(name: str, attempt: Attempt) -> tuple[bool, str]:
    runs = {each.framework: each for each in attempt.played if each.episode == name}
    missing = [framework for framework in attempt.frameworks if framework not in runs]
    if missing:
        return False, f"not played in {', '.join(missing)}"
    broken = [each.framework for each in runs.values() if each.problem]
    if broken:
        return False, f"broke in {', '.join(broken)}"
    first, *others = runs.values()
    for other in others:
        for mine, theirs in zip(told(first), told(other), strict=False):
            if differ(mine, theirs):
                return False, (
                    f"{first.framework} and {other.framework} differ after {mine['said']}: "
                    f"{_short(mine)} and {_short(theirs)}"
                )
        if len(first.steps) != len(other.steps):
            return False, f"{first.framework} and {other.framework} took another course"
    return True, ""


def told(played: Played) -> list[dict[str, Any]]:
    """The steps after the opening, which each framework puts in words of its own."""
    return [step for step in played.steps if not step["said"].startswith("open ")]


def differ(mine: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """Whether two steps differ in what both frameworks tell; some pay at the end only."""
    if mine["said"] != theirs["said"]:
        return True
    seen = (mine["seen"], theirs["seen"])
    if None not in seen and seen[0].split() != seen[1].split():
        return True
    both = (mine["reward"], theirs["reward"])
    return None not in both and abs(both[0] - both[1]) > 1e-6


def _short(step: dict[str, Any]) -> str:
    return f"{(step['seen'] or '')[:200]!r} paying {step['reward']}"


def _one(name: str, held: bool | None, found: str, episode: str | None = None) -> Expectation:
    return Expectation(scorer="parity", name=name, held=held, found=found, episode=episode)
