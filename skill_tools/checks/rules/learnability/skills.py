"""What hinders learning, or may: each a rule over the curves, the tasks, and who does not look."""

from __future__ import annotations

from collections.abc import Iterator

from skill_tools.checks.rules.rewards.hacking import MOST
from skill_tools.learnability.blind_players import lazy_player
from skill_tools.learnability.curves import ALL
from skill_tools.learnability.facts import Facts
from skill_tools.learnability.model import Curve, StudyFinding
from skill_tools.learnability.tasks import (
    failed_episodes,
    oracle_misses,
    tasks_everybody_solves,
    tasks_nobody_solves,
    unordered_levels,
)
from skill_tools.learnability.verdict import (
    FLAT,
    ORDERED,
    START,
    is_easy,
    is_flat,
    signal_of,
    varied,
)

CLIFF = 0.75
"""Share of what the oracle earns beyond random play from which one mistake costs nearly all."""
LONG = 3.0
"""Calls of the oracle's mean episode below which a mistake is a large part of it, whatever is paid."""
CLOSE_TO_PERFECT = 0.2
"""The epsilon from which variance is of use to a model that has some skill: below it hardly any starts."""


def find_all(facts: Facts) -> list[StudyFinding]:
    """Every finding, what fails first."""
    rules = (
        *(
            failed_episodes,
            tasks_nobody_solves,
            oracle_misses,
            flat_reward,
            lazy_player,
            unordered_levels,
        ),
        *(cliff, no_variance, tasks_everybody_solves, oracle_lost),
    )
    found = [finding for rule in rules for finding in rule(facts)]
    return sorted(found, key=lambda each: ("fail", "warn", "note").index(each.level))


def flat_reward(facts: Facts) -> Iterator[StudyFinding]:
    """The return rises with skill, on all tasks and on each level."""
    luck = facts.studied.luck
    flat = [
        curve
        for curve in facts.told
        if is_flat(curve, facts.studied) and not is_easy(curve, facts.low, facts.unit)
    ]
    whole = [curve for curve in flat if curve.level == ALL]
    for curve in whole or flat:
        where = "" if curve.level == ALL else f"{curve.level}: "
        yield StudyFinding(
            name="flat-reward",
            level="fail" if curve.level == ALL and not luck else "warn",
            message=f"{where}the return does not rise with skill: the oracle earns {curve.oracle.mean:.3f}, "
            f"random play {curve.random.mean:.3f} (rank correlation {curve.rank:.2f})",
            lever="reward what the better player achieves, and nothing else; check whether the oracle "
            "earns the top",
        )


def cliff(facts: Facts) -> Iterator[StudyFinding]:
    """One mistake among several calls does not cost everything."""
    whole, studied = facts.curves[0], facts.studied
    cost, rise = whole.mistake_cost, whole.rise
    if cost is None or whole.oracle.mean_steps < LONG or is_flat(whole, studied):
        return
    if cost < CLIFF * rise:
        return
    scripted = studied.goes_on == "solve"
    # Where a player who makes many mistakes earns more than random play, there is a way up all the same.
    way_up = whole.bottom >= FLAT * rise
    doubt = "; it plays a list of calls, and may only not know how to continue" if scripted else ""
    lever = (
        "right if the rules are so, as in a game that one mistake loses; otherwise "
        if way_up
        else ""
    )
    lever += "allow a spare call or two, or reward the part that was right"
    yield StudyFinding(
        name="cliff",
        level="note" if scripted or way_up else "warn",
        message=f"one random call costs the oracle {cost:.3f} of the {rise:.3f} that it earns beyond random "
        f"play ({whole.mistakes} episodes of about {whole.oracle.mean_steps:.0f} calls){doubt}",
        lever=f"write next_call(task, seed, steps) next to solve() to find out; if the finding remains: {lever}"
        if scripted
        else lever,
    )


def no_variance(facts: Facts) -> Iterator[StudyFinding]:
    """Enough of a random player's groups have variance, on all tasks and on each level."""
    lacking = [curve for curve in facts.told if _lacks_variance(facts, curve)]
    whole = [curve for curve in lacking if curve.level == ALL]
    for curve in whole or lacking:
        where = "" if curve.level == ALL else f"{curve.level}: "
        other, usable = _of_better_players(curve)
        yield StudyFinding(
            name="no-variance",
            level="note" if usable else "warn",
            message=f"{where}{curve.random.flat_share:.0%} of a random player's groups of {facts.studied.samples} "
            f"have no variance; {other}",
            lever=_starting(curve.level, usable=usable),
        )


def _of_better_players(curve: Curve) -> tuple[str, bool]:
    """From which player on groups have variance, in words; and whether a model of little skill is one."""
    signal = signal_of(curve)
    for rung in curve.rungs[::-1]:
        if rung.epsilon == signal:
            words = f"with {rung.epsilon:.0%} random calls {rung.flat_share:.0%} have none"
            return words, rung.epsilon >= CLOSE_TO_PERFECT
        if rung.epsilon < 1 and rung.mean >= curve.random.mean + MOST * curve.rise:
            words = f"a player with {rung.epsilon:.0%} random calls earns {rung.mean:.3f}, so variance is between them"
            return words, rung.epsilon >= CLOSE_TO_PERFECT
    return "neither have the groups of better players", False


def _lacks_variance(facts: Facts, curve: Curve) -> bool:
    """Whether a random player's groups hardly vary, and that is not because the level is easy or flat."""
    told = is_easy(curve, facts.low, facts.unit) or is_flat(curve, facts.studied)
    return varied(curve.random) < START and not told


def _starting(level: str, *, usable: bool) -> str:
    if usable and level == ALL:
        return (
            "right for a model that already plays a little; otherwise train on the oracle's episodes "
            "first (`skill-tools export sft`), deal easier tasks, or reward progress"
        )
    if usable:
        return "begin with the other levels, and add this one later"
    return "make some of these tasks easier, or reward progress, or both"


def oracle_lost(facts: Facts) -> Iterator[StudyFinding]:
    """The oracle can continue after a random call: else what lies between it and random play says little."""
    studied, whole = facts.studied, facts.curves[0]
    lost = [each for each in studied.climbed if each.lost]
    if lost:
        yield StudyFinding(
            name="oracle-lost",
            level="note",
            message=f"next_call raised in {len(lost)} episodes, which then stopped, as on "
            f"{studied.split}/{lost[0].index}: {lost[0].lost}",
            lever="make it return None if nothing more can be earned, and otherwise a call",
        )
    least = min(whole.rungs, key=lambda rung: rung.mean)
    below = least.mean + least.half < whole.random.mean - whole.random.half
    if studied.goes_on == "solve" and (below or whole.rank < ORDERED):
        yield StudyFinding(
            name="oracle-lost",
            level="note",
            message=f"with {least.epsilon:.0%} random calls the oracle earns {least.mean:.3f}, random play "
            f"{whole.random.mean:.3f}: its list of calls no longer fits, so the columns in between say little",
            lever="write next_call(task, seed, steps) next to solve() in the oracle's module",
        )
