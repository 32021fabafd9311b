"""What to do next, in sentences: the level, the number, the lever."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skill_tools.checks.rules.rewards.blind_baseline import SEVERAL
from skill_tools.evidence.studied import Studied
from skill_tools.learnability.curves import ALL
from skill_tools.learnability.model import Curve, Verdict
from skill_tools.learnability.verdict import SLOW, is_easy, signal_of, unit_of, varied

UNEQUAL = 0.5
"""Difference of the levels' shares of groups with variance from which one is to begin with: of eight tasks each
a quarter is chance."""


FEW = 10
"""Tasks below which the verdict is a guess: each group that has variance or not moves it by a tenth."""


def advise(studied: Studied, curves: Sequence[Curve], verdict: Verdict) -> list[str]:
    """Sentences in addition to the findings, each of which has its own lever; all tasks first."""
    return [
        *_of_verdict(studied, curves[0], verdict),
        *_of_size(studied, curves[0]),
        *_of_levels(studied, curves),
    ]


def _of_verdict(studied: Studied, whole: Curve, verdict: Verdict) -> Iterator[str]:
    alike = f"{whole.random.flat_share:.0%} of a random player's groups of {studied.samples} have no variance"
    if verdict == "hard to start":
        yield (
            f"all tasks: {alike}. Start with a model that solves some of them, or train it on the oracle's episodes "
            "first (`skill-tools export sft`). Otherwise deal easier tasks, or reward progress."
        )
    elif verdict == "too easy":
        yield (
            f"all tasks: random play earns {whole.random.mean:.3f} of the oracle's {whole.oracle.mean:.3f}. "
            "Make tasks need more right calls in a row, or offer more wrong options."
        )
    elif verdict == "flat":
        yield (
            f"all tasks: skill brings {whole.rise:.3f}. Fix the reward or the oracle before anything else; "
            "then study again."
        )
    else:
        share = varied(whole.random)
        slowly = ", slowly: larger groups or more easy tasks speed it up" if share < SLOW else ""
        yield (
            f"all tasks: {share:.0%} of a random player's groups of {studied.samples} have variance, so that training "
            f"can start from nothing{slowly}. A real model does not play at random: sample one before a long run."
        )


def _of_size(studied: Studied, whole: Curve) -> Iterator[str]:
    if whole.tasks < FEW:
        more = (
            "give it more time with --seconds"
            if studied.short
            else "study more of them with --num-tasks"
        )
        count = f"{whole.tasks} tasks are" if whole.tasks > 1 else "one task is"
        yield f"all tasks: {count} too few to judge by; {more}."


def _of_levels(studied: Studied, curves: Sequence[Curve]) -> Iterator[str]:
    levels = [curve for curve in curves if curve.level != ALL and curve.tasks >= SEVERAL]
    low, unit = studied.reward_range[0], unit_of(studied)
    for curve in levels:
        if is_easy(curve, low, unit):
            yield (
                f"{curve.level}: random play earns {curve.random.mean:.3f}. Deal fewer of these tasks, or "
                "make them harder."
            )
    signal = signal_of(curves[0])
    if len(levels) < 2 or signal is None:
        return
    shares = {
        curve.level: varied(rung)
        for curve in levels
        for rung in curve.rungs
        if rung.epsilon == signal
    }
    easy = [curve.level for curve in levels if is_easy(curve, low, unit)]
    # Who begins with what random play solves has soon nothing to learn.
    others = [level for level in shares if level not in easy]
    begun = others if len(others) > 1 else list(shares)
    most, least = max(begun, key=shares.__getitem__), min(shares, key=shares.__getitem__)
    if shares[most] - shares[least] >= UNEQUAL and least not in easy:
        who = "random play" if signal == 1 else f"a player who makes {signal:.0%} random calls"
        yield (
            f"{least}: for {who} {shares[least]:.0%} of the groups have variance, of {most} "
            f"{shares[most]:.0%}. Begin with {most}, or make some tasks of {least} easier."
        )
