"""LRN006 to 010: the returns of blind players, and of players whose skill a study controls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skill_tools.checks.check import Hit, Status, check
from skill_tools.checks.needs import STUDIED
from skill_tools.checks.reading.curves import ALL, BEST, IDLE, MOST, SEVERAL, Curve, LazyPlayer
from skill_tools.checks.reading.skill import (
    FLAT,
    ORDERED,
    START,
    Learning,
    signal_of,
    varied,
)
from skill_tools.evidence.evidence import Evidence

HALF = 0.5
"""The epsilon of the player that no blind player should beat."""
CLIFF = 0.75
"""Share of the oracle's lead over random play at which one mistake costs nearly everything."""
LONG = 3.0
"""Mean number of the oracle's calls below which one mistake is a large part of an episode."""
CLOSE_TO_PERFECT = 0.2
"""The epsilon from which variance helps models with some skill: hardly any model starts below it."""


@check(
    "LRN006",
    "flat-reward",
    fix="reward only what more skilled players achieve; check whether the oracle earns the maximum",
    needs=[STUDIED],
)
def flat_reward(evidence: Evidence) -> Iterator[Hit]:
    """The return rises with skill, on all tasks and on each level.

    Otherwise training does not favor skill. If only one level is affected, or if luck decides, the check gives a
    warning instead of an error.
    """
    seen = STUDIED.of(evidence)
    flat = [each for each in seen.told if seen.is_flat(each) and not seen.is_easy(each)]
    for where, curve in _widest(flat):
        yield Hit(
            f"{where}the return does not rise with skill: the oracle earns "
            f"{curve.oracle.mean:.3f}, random "
            f"play {curve.random.mean:.3f} (rank correlation {curve.rank:.2f})",
            level="fail" if curve.level == ALL and not seen.studied.luck else "warn",
        )


@check(
    "LRN007",
    "lazy-player",
    fix="vary the answers between tasks and offer options in random order, so that no single call is usually right",
    needs=[STUDIED],
    stage="consequence",
    bound="a blind player may earn less than 0.7 of the oracle's return",
)
def lazy_player(evidence: Evidence) -> Iterator[Hit]:
    """A player that ignores the task has a lower return than a player that is right half of the time.

    Otherwise a policy first finds the call that is usually right, and then has nothing to learn from the task.
    """
    seen, bound = STUDIED.of(evidence), bound_of(evidence)
    # With fewer tasks, a player may happen to always give the right answer.
    whole = _best_lazy(seen, ALL)
    half = next((rung for rung in seen.whole.rungs if rung.epsilon == HALF), None)
    beats = whole and half and whole.share > 0 and whole.mean - whole.half > half.mean + half.half
    above = whole and whole.share >= bound and not seen.studied.luck
    if whole and whole.episodes >= SEVERAL and (above or beats):
        beaten = "; an oracle that makes half of its calls at random earns "
        beaten = f"{beaten}{half.mean:.3f}" if half and beats else ""
        level: Status = "fail" if above and whole.share >= MOST else "warn" if above else "note"
        yield Hit(f"{_told(whole)}; the bound is {bound:.0%}{beaten}", level=level)
    elif not seen.studied.luck:
        # Easy levels are no surprise, and there are several: so this is reported only if certain.
        levels = [_best_lazy(seen, curve.level) for curve in seen.told[1:]]
        known = [each for each in levels if each and each.episodes >= SEVERAL]
        sure = [e for e in known if e.mean - e.half >= bound * seen.unit + seen.low]
        if high := [f"{each.level}: {_told(each)}" for each in sure if each.share >= bound]:
            fix = "change nothing on a first level; otherwise vary its answers, or use fewer tasks of this level"
            yield Hit("; ".join(high), level="note", fix=fix)


@check(
    "LRN008",
    "one-mistake-costs-all",
    fix="allow one or two spare calls, or reward the part that was right",
    needs=[STUDIED],
    level="warn",
)
def one_mistake_costs_all(evidence: Evidence) -> Iterator[Hit]:
    """If one of several calls is random, the oracle still earns a considerable part of its return.

    Otherwise only a nearly perfect policy has something to learn. The check gives a note if a player that makes many
    mistakes still beats random play, or if the oracle may fail only because it cannot continue after a mistake.
    """
    seen = STUDIED.of(evidence)
    whole = seen.whole
    cost, rise = whole.mistake_cost, whole.rise
    if cost is None or cost < CLIFF * rise or whole.oracle.mean_steps < LONG or seen.is_flat(whole):
        return
    scripted = seen.studied.goes_on == "solve"
    way_up = whole.bottom >= FLAT * rise
    right = (
        "change nothing if the rules intend this, as in a game that one mistake loses; otherwise "
        if way_up
        else ""
    )
    fix = f"{right}{one_mistake_costs_all.fix}"
    if scripted:
        fix = f"write next_call(task, seed, steps) next to solve() to find out; if the finding remains: {fix}"
    yield Hit(
        f"one random call costs the oracle {cost:.3f} of the {rise:.3f} that it earns beyond "
        f"random play ({whole.mistakes} episodes of about {whole.oracle.mean_steps:.0f} calls)"
        + (
            "; the oracle plays a fixed list of calls, so it may only be unable to adapt after a mistake"
            if scripted
            else ""
        ),
        level="note" if scripted or way_up else "warn",
        fix=fix,
    )


@check(
    "LRN009",
    "no-variance",
    fix="make some of these tasks easier, reward progress, or do both",
    needs=[STUDIED],
    level="warn",
    stage="consequence",
)
def no_variance(evidence: Evidence) -> Iterator[Hit]:
    """The returns of a random player differ in enough groups of samples, overall and on each level.

    A group of samples with equal returns has no gradient. If the returns of a player with little skill differ, the
    check gives only a note, because a model with some skill can start to learn.
    """
    seen = STUDIED.of(evidence)
    lacking = [
        curve
        for curve in seen.told
        if varied(curve.random) < START and not (seen.is_easy(curve) or seen.is_flat(curve))
    ]
    for where, curve in _widest(lacking):
        other, usable = _of_better_players(curve)
        fix = "change nothing for a model that already plays a little; otherwise first train on the oracle's episodes "
        fix += "(`skill-tools export sft`), deal easier tasks, or reward progress"
        if curve.level != ALL:
            fix = "begin with the other levels, and add this one later"
        yield Hit(
            f"{where}{curve.random.flat_share:.0%} of a random player's groups of "
            f"{seen.studied.samples} have no variance; {other}",
            level="note" if usable else "warn",
            fix=fix if usable else "",
        )


@check(
    "LRN010",
    "oracle-lost",
    fix="write next_call(task, seed, steps) next to solve() in the oracle's module",
    needs=[STUDIED],
    after=["LRN006"],
    level="note",
)
def oracle_lost(evidence: Evidence) -> Iterator[Hit]:
    """The oracle of a study can continue after a random call.

    A study mixes calls of the oracle with random calls. If the oracle cannot continue, a mixed player loses more than
    its random calls alone would cost, so its return shows little.
    """
    seen = STUDIED.of(evidence)
    studied, whole = seen.studied, seen.whole
    if lost := [each for each in studied.climbed if each.lost]:
        yield Hit(
            f"next_call raised in {len(lost)} episodes, which then stopped, as on "
            f"{studied.split}/{lost[0].index}: {lost[0].lost}",
            fix="make next_call return a call, or None if no further reward is possible",
        )
    least = min(whole.rungs, key=lambda rung: rung.mean)
    below = least.mean + least.half < whole.random.mean - whole.random.half
    if studied.goes_on == "solve" and (below or whole.rank < ORDERED):
        yield Hit(
            f"with {least.epsilon:.0%} random calls the oracle earns {least.mean:.3f}, random "
            f"play {whole.random.mean:.3f}: the oracle's list of calls no longer fits, so the "
            "columns in between mean little"
        )


def bound_of(evidence: Evidence) -> float:
    """Return the maximum share of the oracle's return that a blind player may get.

    The share is the bound requested for the study or, if there is none, the bound in env.yaml or the default.
    """
    asked = evidence.studied.bound if evidence.studied else None
    allowed = evidence.declaration.bound_of("LRN007", "lazy-player")
    return asked or (allowed.share if allowed else BEST)


def _widest(curves: Sequence[Curve]) -> list[tuple[str, Curve]]:
    """Return the curve of all tasks if it is in ``curves``.

    Otherwise return all curves, each with its level's name as a prefix.
    """
    whole = [("", curve) for curve in curves if curve.level == ALL]
    return whole or [(f"{curve.level}: ", curve) for curve in curves]


def _best_lazy(seen: Learning, level: str) -> LazyPlayer | None:
    those = [each for each in seen.lazy if each.level == level and each.words != IDLE]
    return max(those, key=lambda each: each.mean, default=None)


def _told(player: LazyPlayer) -> str:
    return f"{player.words}: {player.mean:.3f}, {player.share:.0%} of what the oracle earns ({player.episodes} tasks)"


def _of_better_players(curve: Curve) -> tuple[str, bool]:
    """Return text about the least skilled player with varying returns, and whether this player errs often."""
    signal = signal_of(curve)
    for rung in curve.rungs[::-1]:
        usable = rung.epsilon >= CLOSE_TO_PERFECT
        if rung is signal:
            return (
                f"with {rung.epsilon:.0%} random calls {rung.flat_share:.0%} have no variance",
                usable,
            )
        if rung.epsilon < 1 and rung.mean >= curve.random.mean + MOST * curve.rise:
            words = (
                f"a player with {rung.epsilon:.0%} random calls earns {rung.mean:.3f}, so players "
                "between these two have variance"
            )
            return words, usable
    return "the groups of better players have no variance either", False


CHECKS = (flat_reward, lazy_player, one_mistake_costs_all, no_variance, oracle_lost)
