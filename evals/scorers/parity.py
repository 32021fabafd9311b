"""The scorer for parity: the same hidden episode has the same observations and rewards in every framework."""

from __future__ import annotations

from typing import Any

from evals.attempt import Attempt, Played
from evals.case import Case
from evals.expectation import Expectation


def score(case: Case, attempt: Attempt) -> list[Expectation]:
    """Return one expectation per episode. The expectations are unscored if only one framework was requested."""
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
        if why := _apart(first, other):
            return False, f"{first.framework} and {other.framework} {why}"
    return True, ""


def _apart(one: Played, other: Played) -> str:
    """Return the first difference between two runs of an episode, game by game, or "" if there is none.

    An observation that a framework shows to no model can change the actions of a script. Each game is therefore
    compared only up to such an observation.
    """
    mine, theirs = games(one), games(other)
    for here, there in zip(mine, theirs, strict=False):
        if here[0]["said"] != there[0]["said"]:
            return f"open other tasks: {here[0]['said']} and {there[0]['said']}"
        for step, same in zip(here[1:], there[1:], strict=False):
            if differ(step, same):
                return f"differ after {step['said']}: {_short(step)} and {_short(same)}"
            if None in (step["seen"], same["seen"]):
                break
        else:
            if len(here) != len(there):
                return f"take another course after {here[0]['said']}"
    hidden = any(step["seen"] is None for step in one.steps + other.steps)
    return "" if hidden or len(mine) == len(theirs) else "play other numbers of games"


def games(played: Played) -> list[list[dict[str, Any]]]:
    """Return the steps of each game. The first step is the opening, which each framework words differently."""
    found: list[list[dict[str, Any]]] = []
    for step in played.steps:
        if step["said"].startswith("open ") or not found:
            found.append([])
        found[-1].append(step)
    return found


def differ(mine: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """Return whether two steps differ in facts that both frameworks report. Some frameworks reward only at the end."""
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
