"""Advice on the next steps, in sentences that name the level, the measured number, and the recommended change."""

from __future__ import annotations

from collections.abc import Iterator

from skill_tools.checks.reading.curves import Curve
from skill_tools.checks.reading.skill import Learning, signal_of, varied
from skill_tools.evidence.studied import Studied
from skill_tools.learnability.model import Verdict

UNEQUAL = 0.5
"""Minimum difference between levels in the share of groups with variance for advising to start with one.

With eight tasks each, a quarter is chance.
"""
SLOW = 0.3
"""Share of groups with variance below which training starts slowly, because most of a batch teaches nothing."""
FEW = 10
"""Minimum tasks for a reliable verdict: with fewer, one group moves it by more than a tenth."""


def advise(seen: Learning, verdict: Verdict) -> list[str]:
    """Return advice that no finding's fix contains; advice about all tasks precedes advice about single levels."""
    studied, whole = seen.studied, seen.whole
    return [*_of_verdict(studied, whole, verdict), *_of_size(studied, whole), *_of_levels(seen)]


def _of_verdict(studied: Studied, whole: Curve, verdict: Verdict) -> Iterator[str]:
    alike = f"{whole.random.flat_share:.0%} of a random player's groups of {studied.samples} have no variance"
    if verdict == "hard to start":
        yield (
            f"all tasks: {alike}. Start with a model that solves some of them, or train it on the oracle's episodes "
            "first (`skill-tools export sft`). Otherwise use easier tasks, or reward progress."
        )
    elif verdict == "too easy":
        yield (
            f"all tasks: random play earns {whole.random.mean:.3f} of the oracle's {whole.oracle.mean:.3f}. "
            "Make tasks need more right calls in a row, or offer more wrong options."
        )
    elif verdict == "flat":
        yield (
            f"all tasks: skill raises the return by only {whole.rise:.3f}. Fix the reward or the "
            "oracle first; then run the study again."
        )
    else:
        share = varied(whole.random)
        slowly = ", slowly: larger groups or more easy tasks speed it up" if share < SLOW else ""
        yield (
            f"all tasks: {share:.0%} of a random player's groups of {studied.samples} have "
            f"variance, so training can start from scratch{slowly}. A real model does not play at "
            "random: sample a real model before a long run."
        )


def _of_size(studied: Studied, whole: Curve) -> Iterator[str]:
    if whole.tasks < FEW:
        more = (
            "allow more time with --seconds"
            if studied.short
            else "study more of them with --num-tasks"
        )
        count = f"{whole.tasks} tasks are" if whole.tasks > 1 else "one task is"
        yield f"all tasks: {count} too few to judge by; {more}."


def _of_levels(seen: Learning) -> Iterator[str]:
    levels = seen.told[1:]
    for curve in levels:
        if seen.is_easy(curve):
            yield (
                f"{curve.level}: random play earns {curve.random.mean:.3f}. Use fewer of these "
                "tasks, or make them harder."
            )
    rung = signal_of(seen.whole)
    if len(levels) < 2 or rung is None:
        return
    signal = rung.epsilon
    shares = {
        curve.level: varied(rung)
        for curve in levels
        for rung in curve.rungs
        if rung.epsilon == signal
    }
    easy = [curve.level for curve in levels if seen.is_easy(curve)]
    # A start on what random play solves soon leaves nothing to learn.
    others = [level for level in shares if level not in easy]
    begun = others if len(others) > 1 else list(shares)
    most, least = max(begun, key=shares.__getitem__), min(shares, key=shares.__getitem__)
    if shares[most] - shares[least] >= UNEQUAL and least not in easy:
        who = "random play" if signal == 1 else f"{signal:.0%} random calls"
        yield (
            f"{least}: with {who}, {shares[least]:.0%} of the groups have variance, but {shares[most]:.0%} for "
            f"{most}. Begin with {most}, or make some tasks of {least} easier."
        )
