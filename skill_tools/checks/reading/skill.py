"""The verdict in one word: does REINFORCE with a group's mean as its baseline learn from random play?

- ``too easy``: random play already earns most of what there is, so that little is left to learn.
- ``flat``: the oracle earns hardly more than random play, or the return does not rise with skill: whatever
  the gradient follows, it is not skill.
- ``hard to start``: the return rises with skill, but of a random player's groups hardly any has
  variance: all samples of a task earn the same, and there is no gradient to begin with. A model that
  plays better than at random may still start; ``signal_from`` says from which rung on.
- ``teachable``: the return rises with skill, and enough of a random player's groups have variance.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from skill_tools.evidence.studied import Studied
from skill_tools.learnability.model import Curve, SkillLevel, Verdict

EASY = 0.8
"""Share of what the tasks pay from which a random player leaves too little to learn."""
FLAT = 0.1
"""Share of what the tasks pay by which the oracle must earn more than random play: a tenth drowns in noise."""
ORDERED = 0.5
"""Rank correlation of return and skill below which more skill does not pay."""
START = 0.05
"""Share of the groups that must have variance. Measured with a table of logits, REINFORCE and the group's mean, 60
steps of 12 groups of 8, from random play: shares of 5 and 8% at the start were enough to learn all tasks, 3% taught
a sixth of them, and 0% nothing."""
SLOW = 0.3
"""Share of the groups with variance below which a start takes long, as most of a batch teaches nothing."""


def unit_of(studied: Studied) -> float:
    """What the tasks pay between the bottom of the range and their tops, on average."""
    tops = [task.top for task in studied.tasks] or [studied.reward_range[1]]
    return max(1e-9, fmean(tops) - studied.reward_range[0])


def varied(rung: SkillLevel) -> float:
    """The share of the tasks on which a group of samples has variance."""
    return 1 - rung.flat_share


def is_easy(curve: Curve, low: float, unit: float) -> bool:
    """Whether random play already earns most of what there is."""
    return curve.random.mean - low >= EASY * unit


def is_flat(curve: Curve, studied: Studied) -> bool:
    """Whether more skill earns no more; where luck decides, the best play earns a little more.

    What lies between counts only where the oracle can continue from any state: else a list of calls that
    no longer fits may earn less than random play.
    """
    least = curve.random.half if studied.luck else FLAT * unit_of(studied)
    return curve.rise < least or (studied.goes_on == "next_call" and curve.rank < ORDERED)


def signal_of(curve: Curve) -> float | None:
    """The epsilon of the least skilled rung from which enough groups have variance; None if none has."""
    return next((rung.epsilon for rung in curve.rungs[::-1] if varied(rung) >= START), None)


def judge_curves(studied: Studied, curves: Sequence[Curve]) -> tuple[Verdict, str]:
    """The verdict, and the numbers that it follows from."""
    whole, low, unit = curves[0], studied.reward_range[0], unit_of(studied)
    best, worst = whole.oracle, whole.random
    means = f"the oracle earns {best.mean:.3f}, random play {worst.mean:.3f}"
    if is_easy(whole, low, unit):
        return "too easy", means
    if is_flat(whole, studied):
        return "flat", f"{means}; rank correlation of return and skill {whole.rank:.2f}"
    groups = f"{varied(worst):.0%} of a random player's groups of {studied.samples} have variance"
    if varied(worst) >= START:
        return "teachable", f"{means}, and {groups}"
    signal = next((rung for rung in whole.rungs[::-1] if varied(rung) >= START), None)
    if signal is None:
        return "hard to start", f"{means}, but {groups}"
    other = f"with {signal.epsilon:.0%} random calls {varied(signal):.0%} have"
    return "hard to start", f"{means}, but {groups}; {other}"
