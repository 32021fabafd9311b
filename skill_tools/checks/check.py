"""What a check is: one rule about the evidence, with its reason and its remedy."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from skill_tools.evidence.evidence import Evidence

Level = Literal["fail", "warn", "note"]
Status = Literal["pass", "fail", "warn", "note", "excepted", "skip"]
Find = Callable[[Evidence], Iterable[str]]


@dataclass(frozen=True)
class Finding:
    """What a check says about one environment; ``message`` is the reason of all but a pass.

    ``replay`` is the command that plays the episode again that shows it, where one does.

    A warning asks a person to look, a note tells what is unusual; neither makes a report red. What
    env.yaml declares as an exception is ``excepted``.
    """

    check: str
    name: str
    status: Status
    message: str = ""
    fix: str = ""
    replay: str = ""


class Milder(str):
    """A message of a check that is milder than its check."""

    level: Status = "warn"


def warn(message: str) -> Milder:
    """A message to look at, of a check that can fail."""
    return Milder(message)


def note(message: str) -> Milder:
    """A message of what is unusual, of a check that can fail."""
    return _milder(message, "note")


def skip(message: str) -> Milder:
    """Why a check saw nothing to judge, which only what was played can tell; its only message."""
    return _milder(message, "skip")


def _milder(message: str, level: Status) -> Milder:
    made = Milder(message)
    made.level = level
    return made


@dataclass(frozen=True)
class Check:
    """A rule named for the defect it finds.

    needs: what must have been seen or declared, by the names in ``checks.needs``; without it the
    check is skipped. plays: policies that must have been played for it to pass; it can fail without
    them. after: checks whose failure explains this one's, so that one defect gives one finding.
    level: how bad its messages are, unless one says that it is milder. fix_elsewhere: the remedy in
    an environment that we did not render, where another is to be mended.
    """

    id: str
    name: str
    find: Find
    fix: str
    needs: tuple[str, ...] = ()
    plays: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    level: Level = "fail"
    fix_elsewhere: str = ""

    @property
    def family(self) -> str:
        """The three letters of the id."""
        return self.id[:3]

    @property
    def what(self) -> str:
        """The rule in one line."""
        return inspect.cleandoc(self.find.__doc__ or "").partition("\n")[0]

    @property
    def why(self) -> str:
        """Why the rule is worth keeping."""
        return inspect.cleandoc(self.find.__doc__ or "").partition("\n")[2].strip()


def check(
    identity: str,
    name: str,
    *,
    fix: str,
    needs: Iterable[str] = (),
    plays: Iterable[str] = (),
    after: Iterable[str] = (),
    level: Level = "fail",
    fix_elsewhere: str = "",
) -> Callable[[Find], Check]:
    """Make a check of a function that yields a message per defect; its docstring says what and why."""

    def make(find: Find) -> Check:
        lists = (tuple(needs), tuple(plays), tuple(after))
        return Check(identity, name, find, fix, *lists, level, fix_elsewhere)

    return make


BEFORE = ["DET001", "ISO001", "EPI001"]
