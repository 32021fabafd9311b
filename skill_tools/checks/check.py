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
    """The place of a defect; unknown parts are empty.

    ``task`` is split/index, or an episode's label. ``line`` counts from 1; 0 means unknown.
    """

    task: str = ""
    tool: str = ""
    parameter: str = ""
    file: str = ""
    line: int = 0


def place_of(trajectory: Trajectory, step: Step | None = None) -> Place:
    """Return the place of an episode: its task as split/index or, if the task is unknown, its label.

    ``step`` adds the tool that was called.
    """
    known = trajectory.split is not None and trajectory.index is not None
    task = f"{trajectory.split}/{trajectory.index}" if known else trajectory.label
    return Place(task=task, tool=step.tool if step else "")


@dataclass(frozen=True)
class Hit:
    """One defect that a check found; the wording of its message may change at any time.

    Attributes:
        shown: The episode that demonstrates the defect.
        level: The level, if the hit is milder than its check. ``skip`` means that the check had nothing to judge,
            for the reason in the message. A check that skips yields no other hit. It yields a skip only if it had
            to read the episodes first.
        untimed: Whether the check was skipped only because time ran out.
        fix: The fix, if it differs from the check's fix.
        details: All items, one per line, if the message names only some items.
        frameworks: The variants concerned, if no episode demonstrates the defect.
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
    """Return a hit of level "warn", for a check of level "fail": a person should examine the defect."""
    return Hit(message, shown, place, "warn", details=details)


def note(
    message: str,
    shown: Trajectory | None = None,
    place: Place = Place(),
    details: tuple[str, ...] = (),
) -> Hit:
    """Return a hit of level "note", for a check of level "fail": the defect is merely unusual."""
    return Hit(message, shown, place, "note", details=details)


def skip(message: str, *, untimed: bool = False) -> Hit:
    """Return the only hit of a check that had nothing to judge; ``message`` says why.

    Use this function if the check must read the episodes to learn that there is nothing to judge. ``untimed``
    means that time ran out before the check could judge.
    """
    return Hit(message, level="skip", untimed=untimed)


Find = Callable[[Evidence], Iterable[Hit]]


@dataclass(frozen=True)
class Finding:
    """The result of one check for one environment.

    A warning asks a person to examine the finding, and a note reports something unusual. Neither makes a report
    fail. A finding is ``excepted`` if env.yaml declares an exception for it.

    Attributes:
        message: The reason for the finding, unless the check passed.
        shown: The episode that demonstrates the finding, if there is one.
        replay: The command that replays the episode.
        repro: A script that replays the episode with only its framework.
        untimed: Whether the check was skipped only because time ran out. The verdict is then incomplete.
        details: All items, if the message names only some items.
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
        needs: The evidence and declarations without which the check is skipped; see ``checks.needs``.
        plays: The check passes only if these policies were played. It can fail without them.
        trusts: The evidence that the check relies on. If this evidence is unsound, the check is skipped.
        after: Further checks whose failure explains a failure of this check, so that one defect gives one
            finding.
        level: The severity of the check's hits, unless a hit is milder.
        stage: The subject of the defect, which determines the order of the findings.
        fix_elsewhere: The fix in an environment that we did not render, if it differs from ``fix``.
        says: The rule and its reason, in place of a docstring, if several checks share the function ``find``.
        bound: The value that env.yaml may set under ``bounds``, and its default; "" if there is no bound.
        shows: The kind of evidence that demonstrates the defect in an audit, or "".
        criteria: The criteria of OpenEnv's RFC 008 that the check decides.
        formerly: Ids of checks that this check replaces. Exceptions may still name these ids.
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
        """The names that an exception may use for this check: its id, its name, or the id of a replaced check."""
        return (self.id, self.name, *self.formerly)

    @property
    def explained_by(self) -> tuple[str, ...]:
        """Ids of the checks whose failure explains this check's failure. Checks of the evidence come first."""
        return (*UNSOUND[self.trusts], *self.after)

    @property
    def shown_by(self) -> Shows | Literal[""]:
        """The kind of evidence that demonstrates the defect in an audit: ``shows`` or, for checks of rewards and
        isolation, "returns"."""
        return self.shows or ("returns" if self.family in ("REW", "ISO") else "")

    @property
    def family(self) -> str:
        """The check's family: the three letters of its id."""
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
    """Return a decorator that turns a function into a Check.

    The function yields one hit per defect. Its docstring states the rule and the reason for the rule.
    """

    def make(find: Find) -> Check:
        lists = (tuple(needs), tuple(plays), tuple(after))
        check = Check(identity, name, find, fix, *lists, level, stage, trusts, fix_elsewhere)
        return replace(check, bound=bound, shows=shows, criteria=tuple(criteria))

    return make


def bounded_names(known: Mapping[str, Check]) -> list[str]:
    """Return the ids and names of checks for which env.yaml may set a bound."""
    return [name for each in known.values() if each.bound for name in (each.id, each.name)]


def no_bound(name: str, names: list[str]) -> str:
    """Return the error message for a name in ``bounds`` whose check takes no bound or does not exist."""
    close = closest(name, names)
    guess = f"did you mean {close!r}?" if close else f"these have a bound: {', '.join(names)}"
    return f"there is no check {name!r} that has a bound; {guess}"
