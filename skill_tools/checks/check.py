"""The definition of a check: one rule about the evidence, with its reason and its fix."""

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
from skill_tools.evidence.trajectory import Step, Trajectory

Level = Literal["fail", "warn", "note"]
Status = Literal["pass", "fail", "warn", "note", "excepted", "skip"]
Stage = Literal["evidence", "cause", "exploit", "rule", "consequence", "hint"]
"""What a defect is about, the closest to its cause first.

The evidence is unsound; a cause; an exploit is rewarded; a rule that an example demonstrates is
broken; a consequence of another defect; a hint in the wording.
"""
Trust = Literal["nothing", "runs", "episodes"]
"""What a check relies on: no played episode; repeatable runs; repeatable runs in which no episode failed."""
UNSOUND: dict[Trust, tuple[str, ...]] = {
    "nothing": (),
    "runs": ("DET001", "ISO001"),
    "episodes": ("DET001", "ISO001", "EPI001"),
}
"""The checks of the evidence whose failure explains a check's hits, by what the check relies on."""


@dataclass(frozen=True)
class Place:
    """Where a defect is, as far as the check knows.

    ``task`` is split/index, or an episode's label. ``line`` counts from 1; 0 means unknown.
    """

    task: str = ""
    tool: str = ""
    parameter: str = ""
    file: str = ""
    line: int = 0


def place_of(trajectory: Trajectory, step: Step | None = None) -> Place:
    """Return where an episode was played: its task as split/index or, if unknown, its label. ``step`` adds the tool
    called."""
    known = trajectory.split is not None and trajectory.index is not None
    task = f"{trajectory.split}/{trajectory.index}" if known else trajectory.label
    return Place(task=task, tool=step.tool if step else "")


@dataclass(frozen=True)
class Hit:
    """One defect that a check found; its wording may change at any time.

    Attributes:
        shown: The episode that demonstrates it.
        level: Set if the hit is milder than its check. A ``skip`` says why the check had nothing to
            judge, if only the episodes can tell, and is its only hit.
        untimed: Whether a skip is only for lack of time.
        fix: The fix, if it differs from the check's.
        details: All items, one per line, if the message names only some.
        frameworks: The variants concerned, if no episode demonstrates it.
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
    """Return a hit of level "warn": a person should look at the defect. For checks whose level is "fail"."""
    return Hit(message, shown, place, "warn", details=details)


def note(
    message: str,
    shown: Trajectory | None = None,
    place: Place = Place(),
    details: tuple[str, ...] = (),
) -> Hit:
    """Return a hit of level "note": the defect is merely unusual. For checks whose level is "fail"."""
    return Hit(message, shown, place, "note", details=details)


def skip(message: str, *, untimed: bool = False) -> Hit:
    """Return the only hit of a check that had nothing to judge; ``message`` says why. Use it if only the episodes
    show that there was nothing to judge. ``untimed`` means that time ran out before the check could judge."""
    return Hit(message, level="skip", untimed=untimed)


Find = Callable[[Evidence], Iterable[Hit]]


@dataclass(frozen=True)
class Finding:
    """What a check says about one environment; ``message`` is the reason, unless it passed.

    ``shown`` is the episode that demonstrates the finding, if there is one, and ``replay`` the
    command that replays it, or ``repro`` a script that does so with only its framework.

    A warning asks a person to look and a note reports something unusual; neither makes a report red. ``excepted``
    findings are declared as exceptions in env.yaml. An ``untimed`` skip is only for lack of time: the verdict is then
    incomplete. ``details`` lists all items if the message names only some.
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
    """Hits that this finding represents: a check's last finding counts those left out."""
    # The rest is left out of JSON reports, which are sent: it may be long.
    frameworks: Annotated[tuple[str, ...], Field(exclude=True)] = field(default=(), compare=False)
    """The variants concerned."""
    in_every_split: Annotated[bool, Field(exclude=True)] = field(default=False, compare=False)
    """Whether the finding counts only if every split has it, as with an exception that never applied."""
    details: Annotated[tuple[str, ...], Field(exclude=True)] = field(default=(), compare=False)
    shown: Annotated[Trajectory | None, Field(exclude=True)] = field(
        default=None, repr=False, compare=False
    )


@dataclass(frozen=True)
class Check:
    """A rule, named for the defect that it finds.

    Attributes:
        needs: What must have been observed or declared, see ``checks.needs``; otherwise the check
            is skipped.
        plays: Policies that must have been played for a pass; the check can fail without them.
        trusts: The evidence that it relies on; if that is unsound, the check is skipped.
        after: Further checks whose failure explains this one's, so that one defect gives one
            finding.
        level: The severity of its hits, unless a hit is milder.
        stage: What its defect is about, which orders the findings.
        fix_elsewhere: The fix in an environment that we did not render, if it differs.
        says: What and why, in place of a docstring, if ``find`` is an engine shared by checks.
        bound: What env.yaml may set under ``bounds``, and the default; "" for no bound.
        shows: What demonstrates its defect in an audit, or "".
        criteria: The criteria of OpenEnv's RFC 008 that it decides.
        formerly: Ids of checks that it replaces, which exceptions may still name.
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
        """The names that an exception may use for this check: its id, its name, or an id that it replaces."""
        return (self.id, self.name, *self.formerly)

    @property
    def explained_by(self) -> tuple[str, ...]:
        """Ids of all checks whose failure explains a failure of this one; those about unsound evidence come first."""
        return (*UNSOUND[self.trusts], *self.after)

    @property
    def shown_by(self) -> Shows | Literal[""]:
        """What demonstrates the defect in an audit: ``shows`` or, for checks of rewards and isolation, "returns"."""
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
        """Why the rule exists."""
        return self._said.partition("\n")[2].strip()

    @property
    def _said(self) -> str:
        return inspect.cleandoc(self.says or self.find.__doc__ or "")

    @property
    def function(self) -> Callable[..., Iterable[Hit]]:
        """The function that finds the defects. If ``find`` is a partial, this is the function inside the partial."""
        find = self.find
        return find.func if isinstance(find, functools.partial) else find


# One parameter per field of Check, so that a catalogue reads as a list of them.
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
    """Turn a function that yields one hit per defect into a Check. Its docstring says what the rule is and why."""

    def make(find: Find) -> Check:
        lists = (tuple(needs), tuple(plays), tuple(after))
        check = Check(identity, name, find, fix, *lists, level, stage, trusts, fix_elsewhere)
        return replace(check, bound=bound, shows=shows, criteria=tuple(criteria))

    return make


def bounded_names(known: Mapping[str, Check]) -> list[str]:
    """Return the ids and names of checks for which env.yaml may set a bound."""
    return [name for each in known.values() if each.bound for name in (each.id, each.name)]


def no_bound(name: str, names: list[str]) -> str:
    """Return the message for a name in ``bounds`` that is not a check with a bound. It suggests the closest name."""
    close = closest(name, names)
    guess = f"did you mean {close!r}?" if close else f"these have a bound: {', '.join(names)}"
    return f"there is no check {name!r} that has a bound; {guess}"
