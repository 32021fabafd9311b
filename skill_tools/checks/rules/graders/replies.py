"""Replies in the words of findings: some of them in a message, all of them behind it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from skill_tools.evidence.grading.graded import GradedReply

SHOWN = 4
"""Ways that a message tells."""
LETTERS = 90
"""Characters of a reply that are shown."""


def some_of(names: Sequence[str]) -> str:
    """The first of some names, and how many there are more."""
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def details(several: Iterable[GradedReply]) -> tuple[str, ...]:
    """A line for each reply: what it is, on which task, and what it earned."""
    return tuple(
        f"{each.how}: {cut(each.reply)} on {each.task}: "
        + (each.broke or f"{each.paid if each.paid is not None else 'no score'}")
        for each in several
    )


def cut(reply: str) -> str:
    """A reply as a literal, cut where it is long."""
    return repr(reply if len(reply) <= LETTERS else reply[:LETTERS] + "…")
