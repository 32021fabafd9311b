"""What a check is: one rule about the evidence, with its reason and its remedy."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from skill_tools.play.evidence import Evidence

Status = Literal["pass", "fail", "skip"]
Find = Callable[[Evidence], Iterable[str]]


@dataclass(frozen=True)
class Finding:
    """What a check says about one environment; ``message`` is the reason of a fail or a skip."""

    check: str
    name: str
    status: Status
    message: str = ""
    fix: str = ""


@dataclass(frozen=True)
class Check:
    """A rule named for the defect it finds.

    needs: what must have been seen or declared, by the names in ``checks.needs``; without it the
    check is skipped. plays: policies that must have been played for it to pass; it can fail without
    them. after: checks whose failure explains this one's, so that one defect gives one finding.
    """

    id: str
    name: str
    find: Find
    fix: str
    needs: tuple[str, ...] = ()
    plays: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

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
) -> Callable[[Find], Check]:
    """Make a check of a function that yields a message per defect; its docstring says what and why."""

    def make(find: Find) -> Check:
        return Check(identity, name, find, fix, tuple(needs), tuple(plays), tuple(after))

    return make
