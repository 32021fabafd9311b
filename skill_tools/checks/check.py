"""What a check is: one rule about the evidence, with its reason and its remedy."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

from pydantic import Field

from skill_tools.checks.needs import Need
from skill_tools.errors import closest
from skill_tools.evidence.audited import Shows
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Trajectory

Level = Literal["fail", "warn", "note"]
Status = Literal["pass", "fail", "warn", "note", "excepted", "skip"]
Stage = Literal["evidence", "cause", "exploit", "rule", "consequence", "hint"]
"""What a defect is about, the nearest to its cause first: the evidence is unsound; a cause; an exploit is paid; a rule
that an example shows is broken; what comes of another defect; words that hint at one."""
Trust = Literal["nothing", "runs", "episodes"]
"""What a check takes for granted: nothing that was played; that runs repeat; that no episode broke as well."""
UNSOUND: dict[Trust, tuple[str, ...]] = {
    "nothing": (),
    "runs": ("DET001", "ISO001"),
    "episodes": ("DET001", "ISO001", "EPI001"),
}
"""The checks of the evidence itself whose failure explains what a check sees, by what it takes for granted."""


@dataclass(frozen=True)
class Place:
    """Where a defect is, as far as its check knows: in a task, a tool and its parameter, a file.

    task: as split/index, or a label of an episode. line: from 1; 0 is none.
    """

    task: str = ""
    tool: str = ""
    parameter: str = ""
    file: str = ""
    line: int = 0


@dataclass(frozen=True)
class Hit:
    """One defect that a check found, in words that may be changed freely.

    shown: the episode that shows it. level: where it is milder than its check, or ``skip``: why
    the check saw nothing to judge, which only what was played can tell, and then it is its only hit.
    untimed: whether a skip is for lack of time alone.
    fix: the remedy, where it is another than the check's.
    details: all that the message names only some of, a line each. frameworks: the variants that it is
    about if no episode shows them.
    """

    message: str
    shown: Trajectory | None = None
    place: Place = field(default_factory=Place)
    level: Status | None = None
    untimed: bool = False
    fix: str = ""
    details: tuple[str, ...] = ()
    frameworks: tuple[str, ...] = ()


def warn(
    message: str,
    shown: Trajectory | None = None,
    place: Place = Place(),
    details: tuple[str, ...] = (),
) -> Hit:
    """A hit to look at, of a check that can fail."""
    return Hit(message, shown, place, "warn", details=details)


def note(
    message: str,
    shown: Trajectory | None = None,
    place: Place = Place(),
    details: tuple[str, ...] = (),
) -> Hit:
    """A hit of what is unusual, of a check that can fail."""
    return Hit(message, shown, place, "note", details=details)


def skip(message: str, *, untimed: bool = False) -> Hit:
    """Why a check saw nothing to judge, which only the episodes can tell; its only hit.

    untimed: whether there was no time for it, so that the verdict is incomplete.
    """
    return Hit(message, level="skip", untimed=untimed)


Find = Callable[[Evidence], Iterable[Hit]]


@dataclass(frozen=True)
class Finding:
    """What a check says about one environment; ``message`` is the reason of all but a pass.

    ``shown`` is the episode that shows it, where one does, and ``replay`` the command that plays that
    again, or ``repro`` the script that does so with nothing but its framework. ``place`` is where the
    defect is.

    A warning asks a person to look, a note tells what is unusual; neither makes a report red. What
    env.yaml declares as an exception is ``excepted``. ``untimed`` is a skip for lack of time alone: the
    verdict is then incomplete. ``details`` are all that the message names only some of.
    """

    check: str
    name: str
    status: Status
    message: str = ""
    fix: str = ""
    replay: str = ""
    repro: str = ""
    place: Place = field(default_factory=Place)
    untimed: bool = False
    count: int = 1
    """Hits that it stands for: of a check with many, the last finding counts the rest."""
    # What follows is no part of a report as JSON, which is sent: it may be long.
    frameworks: Annotated[tuple[str, ...], Field(exclude=True)] = field(default=(), compare=False)
    """The variants that it is about."""
    in_every_split: Annotated[bool, Field(exclude=True)] = field(default=False, compare=False)
    """Whether it counts only if every split has it, such as of an exception that never applied."""
    details: Annotated[tuple[str, ...], Field(exclude=True)] = field(default=(), compare=False)
    shown: Annotated[Trajectory | None, Field(exclude=True)] = field(
        default=None, repr=False, compare=False
    )


@dataclass(frozen=True)
class Check:
    """A rule named for the defect it finds.

    needs: what must have been seen or declared, see ``checks.needs``; without it the check is
    skipped. plays: policies that must have been played for it to pass; it can fail without them.
    trusts: what of the evidence it takes for granted; where that is unsound it is skipped. after:
    further checks whose failure explains this one's, so that one defect gives one finding. level:
    how bad its hits are, unless one says that it is milder. stage: what its defect is about, which
    orders the findings. fix_elsewhere: the remedy in an environment that we did not render, where
    another is to be fixed. says: what and why, as a docstring, of a check whose ``find`` is an
    engine's that finds the defects of several. bound: what the number is that env.yaml may set for it under
    ``bounds``, and how much it is where nobody does; "" where there is none. shows: what shows its
    defect in an audit, or "". criteria: those of OpenEnv's RFC 008 that it decides. formerly: ids of checks that it
    replaces, which exceptions may name still.
    """

    id: str
    name: str
    find: Find
    fix: str
    needs: tuple[Need[object], ...] = ()
    plays: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    level: Level = "fail"
    stage: Stage = "cause"
    trusts: Trust = "episodes"
    fix_elsewhere: str = ""
    says: str = ""
    bound: str = ""
    shows: Shows | Literal[""] = ""
    criteria: tuple[str, ...] = ()
    formerly: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """What an exception may call it: its id, its name, and the ids that it replaces."""
        return (self.id, self.name, *self.formerly)

    @property
    def explained_by(self) -> tuple[str, ...]:
        """All checks whose failure explains this one's, those of the evidence first."""
        return (*UNSOUND[self.trusts], *self.after)

    @property
    def shown_by(self) -> Shows | Literal[""]:
        """What shows its defect in an audit: ``shows``, or the returns that the checks of these are about."""
        return self.shows or ("returns" if self.family in ("REW", "ISO") else "")

    @property
    def family(self) -> str:
        """The three letters of the id."""
        return self.id[:3]

    @property
    def what(self) -> str:
        """The rule in one line."""
        return self._said.partition("\n")[0]

    @property
    def why(self) -> str:
        """Why the rule is worth keeping."""
        return self._said.partition("\n")[2].strip()

    @property
    def _said(self) -> str:
        return inspect.cleandoc(self.says or self.find.__doc__ or "")

    @property
    def function(self) -> Callable[..., Iterable[Hit]]:
        """What finds its defects: its own function, or the engine that ``find`` is a partial of."""
        find = self.find
        return find.func if isinstance(find, functools.partial) else find


# One parameter a field of Check, so that a catalogue reads as a list of them.
def check(
    identity: str,
    name: str,
    *,
    fix: str,
    needs: Iterable[Need[object]] = (),
    plays: Iterable[str] = (),
    after: Iterable[str] = (),
    level: Level = "fail",
    stage: Stage = "cause",
    trusts: Trust = "episodes",
    fix_elsewhere: str = "",
    bound: str = "",
    shows: Shows | Literal[""] = "",
    criteria: Iterable[str] = (),
) -> Callable[[Find], Check]:
    """Make a check of a function that yields a hit per defect; its docstring says what and why."""

    def make(find: Find) -> Check:
        lists = (tuple(needs), tuple(plays), tuple(after))
        check = Check(identity, name, find, fix, *lists, level, stage, trusts, fix_elsewhere)
        return replace(check, bound=bound, shows=shows, criteria=tuple(criteria))

    return make


def bounded_names(known: Mapping[str, Check]) -> list[str]:
    """The ids and names of the checks for which env.yaml may set a bound."""
    return [name for each in known.values() if each.bound for name in (each.id, each.name)]


def no_bound(name: str, names: list[str]) -> str:
    """That a check has no bound, and which was meant."""
    close = closest(name, names)
    guess = f"did you mean {close!r}?" if close else f"these have a bound: {', '.join(names)}"
    return f"there is no check {name!r} that has a bound; {guess}"
