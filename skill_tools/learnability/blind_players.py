"""Findings on players who do not look at the task."""

from __future__ import annotations

from collections.abc import Iterator

from skill_tools.checks.rules.rewards.blind_baseline import SEVERAL
from skill_tools.checks.rules.rewards.hacking import MOST
from skill_tools.learnability.curves import ALL, IDLE
from skill_tools.learnability.facts import Facts
from skill_tools.learnability.model import LazyPlayer, StudyFinding

HALF = 0.5
"""The epsilon of the player whom no player without a look should beat."""


def lazy_player(facts: Facts) -> Iterator[StudyFinding]:
    """Who does not look at the task earns little, and less than who is right half of the time."""
    # Of fewer tasks one may just have the answer that is always given.
    whole = _best_lazy(facts, ALL)
    half = next((rung for rung in facts.curves[0].rungs if rung.epsilon == HALF), None)
    beats = whole and half and whole.share > 0 and _least(whole) > half.mean + half.half
    above = whole and whole.share >= facts.bound and not facts.studied.luck
    if whole and whole.episodes >= SEVERAL and (above or beats):
        beaten = (
            f"; a player who makes half of the calls at random earns {half.mean:.3f}"
            if half and beats
            else ""
        )
        yield StudyFinding(
            name="lazy-player",
            level="fail" if above and whole.share >= MOST else "warn" if above else "note",
            message=f"{_tell_lazy(whole)}; the bound is {facts.bound:.0%}{beaten}",
            lever="vary the answers between tasks and offer options in random order, so that no one call is "
            "mostly right",
        )
        return
    # Of an easy level it is no surprise, and there are several: so it is told only where it is certain.
    levels = [_best_lazy(facts, curve.level) for curve in facts.told[1:]]
    high = [
        each
        for each in levels
        if each and each.share >= facts.bound and each.episodes >= SEVERAL and _sure(each, facts)
    ]
    if high and not facts.studied.luck:
        yield StudyFinding(
            name="lazy-player",
            level="note",
            message="; ".join(f"{each.level}: {_tell_lazy(each)}" for each in high),
            lever="right for a first level; otherwise vary its answers, or deal fewer of its tasks",
        )


def _best_lazy(facts: Facts, level: str) -> LazyPlayer | None:
    those = [each for each in facts.lazy if each.level == level and each.words != IDLE]
    return max(those, key=lambda each: each.mean, default=None)


def _least(player: LazyPlayer) -> float:
    return player.mean - player.half


def _sure(player: LazyPlayer, facts: Facts) -> bool:
    return _least(player) - facts.low >= facts.bound * facts.unit


def _tell_lazy(player: LazyPlayer) -> str:
    return f"{player.words}: {player.mean:.3f}, {player.share:.0%} of what the oracle earns ({player.episodes} tasks)"
