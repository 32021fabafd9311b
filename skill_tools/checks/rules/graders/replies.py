"""Descriptions of replies in findings. The message shows some of the replies, and the details show all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from skill_tools.checks.check import Place
from skill_tools.evidence.grading.contrast import clause
from skill_tools.evidence.grading.explanations import Decision, Repair
from skill_tools.evidence.grading.graded import Graded, GradedReply, Way

SHOWN = 4
"""Maximum number of ways in a message."""
VALUES = 4
"""Maximum number of a line's values in a message."""
LETTERS = 90
"""Maximum number of characters shown of a reply."""


def some_of(names: Sequence[str]) -> str:
    """Return the first few names and the number of the others, such as "a, b and 3 more"."""
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def details(several: Iterable[GradedReply]) -> tuple[str, ...]:
    """Return a line for each reply, with its description, task and reward."""
    return tuple(
        f"{each.how}: {cut(each.reply)} on {each.task}: "
        + (each.broke or f"{each.paid if each.paid is not None else 'no score'}")
        for each in several
    )


def cut(reply: str) -> str:
    """Return a reply as a Python string literal, shortened if it is long."""
    return repr(reply if len(reply) <= LETTERS else reply[:LETTERS] + "…")


def shown(several: Sequence[GradedReply]) -> str:
    """Return the reply that is easiest to read, with its task."""
    shortest = _shortest(several)
    return f"{cut(shortest.reply)} on {shortest.task}"


def place(several: Sequence[GradedReply]) -> Place:
    """Return the task of the reply that is easiest to read."""
    return Place(task=_shortest(several).task)


def contrast(graded: Graded, several: Iterable[GradedReply], tried: Iterable[GradedReply]) -> str:
    """Return a clause about a fact that only the tasks of these replies have in common, or ""."""
    return clause(graded.facts, {each.task for each in several}, {each.task for each in tried})


def listed(ways: Sequence[Way]) -> str:
    """Return the descriptions of the first few ways of replying."""
    return some_of([way.shortest.how for way in ways])


def _shortest(several: Sequence[GradedReply]) -> GradedReply:
    return min(several, key=lambda each: (len(each.reply), each.task))


def decided(graded: Graded, several: Sequence[GradedReply]) -> str:
    """Return a clause about the line of the grader that decides about the reply that is easiest to read, or "".

    A change to the code that corrects the verdict is named first.
    """
    one = _shortest(several)
    same = lambda each: (each.task, each.reply) == (one.task, one.reply)
    repair = next(filter(same, graded.repairs), None)
    lines = [e for e in filter(same, graded.decisions) if not repair or e.place == repair.place]
    clauses = [*([_change(repair)] if repair else ()), *map(_line, lines[:1])]
    return "".join(f"; {each}" for each in clauses)


def _change(repair: Repair) -> str:
    how = f"with `{repair.after}` in place of" if repair.after else "without"
    share = "" if repair.share.count == repair.share.of else f" on {repair.share.text}"
    kept = f"{repair.kept} other verdicts stay the same"
    return f"{how} `{repair.before}` in {repair.place}, the verdict is right{share}, and {kept}"


def _line(decision: Decision) -> str:
    more = "…" if len(decision.source) > LETTERS else ""
    values = " and ".join(f"{name} is {value}" for name, value in decision.values[:VALUES])
    line = f"the deciding line is {decision.place}, `{decision.source[:LETTERS]}{more}`"
    return f"{line}, where {values}" if values else line
