"""REW: ceilings and floors for the return of each player, task by task."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from skill_tools.checks.check import Check, Level, Stage, Trust
from skill_tools.checks.needs import NO_LUCK, REWARD_RANGE, SCORED, TRIED, Need, probe
from skill_tools.checks.reading.probed import FEW, UNSCORED, tops
from skill_tools.checks.rules.rewards.hacking import MUCH, UNPAID
from skill_tools.checks.rules.rewards.players import (
    WHERE,
    after_changes,
    all_tried,
    blank,
    late,
    no_last_call,
    not_top,
    nothing_tried,
    put_off,
    rich,
    same_last_call,
    sooner,
    unpaid,
)
from skill_tools.checks.tables.bounds import (
    Bound,
    best,
    bottom,
    bounded,
    by_everybody,
    by_policy,
    by_probe,
    nothing,
    top,
)


# One parameter per field of Check, so that the table reads as a list of them.
def _row(
    identity: str,
    name: str,
    *bounds: Bound,
    fix: str,
    needs: tuple[Need[object], ...],
    says: str,
    plays: tuple[str, ...] = (),
    after: Iterable[str] = (),
    level: Level = "fail",
    stage: Stage = "cause",
    trusts: Trust = "episodes",
    bound: str = "",
) -> Check:
    """Return a check that bounds the return of some players on each task."""
    find = partial(bounded, bounds, (identity, name))
    lists = (needs, plays, tuple(after))
    return Check(identity, name, find, fix, *lists, level, stage, trusts, says=says, bound=bound)


CHECKS = (
    _row(
        "REW001",
        "reward-out-of-range",
        Bound(
            by_everybody,
            "{named}: return {total} is not in [{least}, {most}]",
            least=bottom,
            most=top,
        ),
        fix="scale the reward in the domain, or declare the true reward.range",
        needs=(SCORED, REWARD_RANGE),
        trusts="runs",
        says="""Every return is in reward.range.

        Frameworks normalize returns by the declared range, so a return outside the range distorts every advantage.
        """,
    ),
    _row(
        "REW002",
        "oracle-below-maximum",
        Bound(by_policy("oracle"), "{named}: return {total} of {least}", least=best),
        fix="fix the oracle, or the task that cannot be solved. If the maximum differs by task, "
        "declare reward.best: by_task and write best(task, seed). If luck decides, declare "
        "reward.best: luck",
        needs=(SCORED, REWARD_RANGE, NO_LUCK),
        plays=("oracle",),
        after=("EPI010", "REW001", "REW003", "REW018", "REW020", "REW027", "AUD005"),
        stage="consequence",
        says="""On every task, the oracle earns the top of reward.range, or the task's declared best.

        Such returns prove that every task can be solved and that the reward is reachable. If the range is made smaller
        to fit the oracle, no one sees that the oracle falls short.
        """,
    ),
    _row(
        "REW004",
        "idle-policy-paid",
        Bound(
            by_policy("noop", "malformed", "turn_limit"),
            "{named}: return {total}, but doing nothing may earn {most}",
            most=nothing,
        ),
        fix="reward only results; an episode that changes nothing should earn the minimum of reward.range, or 0",
        needs=(SCORED, REWARD_RANGE),
        plays=("noop", "malformed"),
        after=("REW001", "REW003"),
        says="""A policy that does nothing, or whose calls all violate the schemas, earns no reward.

        If doing nothing earns reward, a policy finds this behavior first. Such an episode may return at most the
        bottom of reward.range or, if the range includes penalties, 0.
        """,
    ),
    _row(
        "REW014",
        "last-call-alone-paid",
        Bound(
            same_last_call,
            "the last call alone reaches the maximum on {many} of {of} tasks, such as {how}",
            beyond=tops,
            on=MUCH,
            enough=FEW,
            few=no_last_call,
            at_call=True,
        ),
        bound="the last call alone may reach the maximum on less than 0.5 of the tasks",
        fix="reward the work done before the last call, as the state of the world shows it",
        needs=(probe("last"), REWARD_RANGE, NO_LUCK),
        after=(*UNPAID, "REW010", "REW013"),
        stage="consequence",
        says="""A call that is identical in all tasks, such as `submit()`, earns nothing as the first call.

        Otherwise all earlier calls of the solution would be unnecessary.
        """,
    ),
    _row(
        "REW016",
        "return-beyond-the-range",
        Bound(
            all_tried,
            "{probe}, {words}: {how}, not in [{least}, {most}]",
            least=bottom,
            most=top,
            few=nothing_tried,
        ),
        fix="cap the return at the maximum, and count each thing once",
        needs=(TRIED, REWARD_RANGE),
        after=(*UNPAID, "REW010", "REW011", "REW012", "REW013"),
        stage="exploit",
        says="""No attempt of a probe has a return above or below reward.range.

        A policy may find rewards that add up to a return that the author did not expect.
        """,
    ),
    _row(
        "REW017",
        "last-moment-not-paid",
        Bound(
            put_off,
            "{how}, although the solution's last call alone earns the maximum (on {many} tasks)",
            beyond=unpaid,
            on=0.0,
            at_least_on=2,
            enough=2,
            few="hardly any call that earns the maximum alone was delayed to the last moment",
        ),
        fix="check for success before counting the attempt",
        needs=(probe("late"), probe("right"), REWARD_RANGE),
        after=UNPAID,
        stage="exploit",
        says="""If one call alone solves a task, the call also solves it as the last attempt.

        A common off-by-one error is to count the last guess before checking whether it is right.
        """,
    ),
    _row(
        "REW020",
        "stalling-pays",
        Bound(late, "{how}, but {most} if the solution comes sooner", most=sooner, few=UNSCORED),
        fix="give slower solutions the same reward or less",
        needs=(probe("late"), REWARD_RANGE, NO_LUCK),
        after=("DET002", "REW001"),
        says="""A solution at the last moment earns no more than an earlier solution.

        Otherwise a policy learns to delay the solution. Such a policy wastes turns, and sometimes loses the reward.
        """,
    ),
    _row(
        "REW022",
        "blank-makes-wrong",
        *map(blank, WHERE),
        fix="call strip() on what the agent writes before comparing or parsing it",
        needs=(probe(*(f"blank-{where}" for where in WHERE)), REWARD_RANGE),
        after=("DET002", "REW001", "REW002"),
        level="warn",
        says="""Whitespace around an answer, or missing whitespace after its commas, does not make the answer wrong.

        Models differ in their use of whitespace, and a right answer would be scored as wrong.
        """,
    ),
    _row(
        "REW023",
        "graded-from-open-files",
        Bound(
            after_changes,
            "{how} once {words} (on {many} tasks); alone it earns the maximum",
            beyond=not_top,
            on=1.0,
            at_least_on=2,
            few="no answer that earns the maximum alone came after a program that changed files",
        ),
        fix="compute the answer before the agent acts, and keep it in the domain",
        needs=(probe("tampered"), probe("right"), REWARD_RANGE),
        after=("REW001", "REW002"),
        says="""A right answer stays right after the agent has changed the files that it should read.

        If files in the agent's folder decide the grade, the agent grades itself.
        """,
    ),
    _row(
        "REW025",
        "near-misses-add-up",
        Bound(
            by_probe("near-miss"),
            "{words}, {how} ({many} of {of} tasks)",
            beyond=rich,
            on=0.5,
            at_least_on=2,
            few=UNSCORED,
        ),
        bound="near misses may earn most of the goal's reward on less than 0.5 of the tasks",
        fix="reward only the nearest point reached instead of every near point, and keep most of the reward for the "
        "goal",
        needs=(probe("near-miss"), REWARD_RANGE),
        after=(*UNPAID, "REW011", "REW012"),
        level="warn",
        says="""Near misses of the solving call do not together earn most of that call's reward.

        A policy that circles the goal would earn as much as a policy that reaches the goal.
        """,
    ),
)
