"""Custom checks, which installed packages offer through an entry point."""

from __future__ import annotations

import functools
import os
import re
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, get_args

from skill_tools.checks.check import UNSOUND, Check, Hit, Level, Place, Stage, Status
from skill_tools.checks.needs import Need
from skill_tools.checks.rules import CHECKS, FAMILIES
from skill_tools.errors import SkillToolsError
from skill_tools.evidence.evidence import POLICIES, Evidence
from skill_tools.evidence.trajectory import Trajectory

GROUP = "skill_tools.checks"
SWITCH = "SKILL_TOOLS_OWN_CHECKS"
"""If 0, no package is searched for checks, and none of its code is imported."""
_ID = re.compile(r"[A-Z]{3}\d{3}")


@dataclass(frozen=True)
class OwnCheck:
    """A check and the package that offers it."""

    check: Check
    package: str


def own_checks() -> dict[str, OwnCheck]:
    """Return the installed custom checks, by id.

    Raise SkillToolsError, with the check's name, if a check is unusable.
    """
    found: dict[str, OwnCheck] = {}
    if os.environ.get(SWITCH) == "0":
        return found
    for entry in sorted(entry_points(group=GROUP), key=lambda each: (_package(each), each.name)):
        for each in _load(entry):
            if why := _refusal(each, found):
                raise _error(entry, why)
            found[each.id] = OwnCheck(_guarded(each, _package(entry)), _package(entry))
    return found


def is_foreign(identity: str) -> bool:
    """Return whether an id has the form of a check's id but does not belong to a built-in family.

    An example is HOU001.
    """
    return bool(_ID.fullmatch(identity)) and identity[:3] not in FAMILIES


def every_check() -> dict[str, Check]:
    """Return all checks by id. Built-in checks come first, then custom checks."""
    return {**CHECKS, **{key: own.check for key, own in own_checks().items()}}


def _load(entry: EntryPoint) -> list[Any]:
    try:
        offered = entry.load()
        return list(offered)
    except (Exception, SystemExit) as error:  # whatever a package does on import
        raise _error(entry, f"{type(error).__name__}: {error}") from error


def _refusal(each: object, found: dict[str, OwnCheck]) -> str:
    if not isinstance(each, Check):
        return f"the package offers {each!r}, which is not a Check: make one with @check"
    if not _ID.fullmatch(each.id):
        return f"{each.id!r} is not an id: write three capital letters and three digits, such as HOU001"
    if each.family in FAMILIES:
        return f"{each.id} begins with {each.family}, which is reserved ({FAMILIES[each.family]})"
    if each.id in found:
        return f"{each.id} is already an id of {found[each.id].package}"
    named = {other.name: f"our {key}" for key, other in CHECKS.items()}
    named |= {own.check.name: f"{key} of {own.package}" for key, own in found.items()}
    if each.name in named:
        return f"{each.id} is named {each.name!r}, as is {named[each.name]}"
    if not each.what:
        return f"{each.id} does not say what it looks for: give it a docstring"
    return next(_wrong_arguments(each), "")


def _wrong_arguments(each: Check) -> Iterator[str]:
    """Yield a message for each invalid argument of @check."""
    choices: dict[str, Iterable[Any]] = {
        "level": get_args(Level), "stage": get_args(Stage), "trusts": UNSOUND
    }  # fmt: skip
    for name, there in choices.items():
        if (given := getattr(each, name)) not in there:
            yield f"{name} of {each.id} is {given!r}, but must be one of {', '.join(there)}"
    needs: Iterable[object] = each.needs
    for need in needs:
        if not isinstance(need, Need):
            yield f"{each.id} needs {need!r}, which is not a need: import one from skill_tools.checks.needs"
    for policy in each.plays:
        if policy not in POLICIES:
            yield f"plays of {each.id} names {policy!r}, which is not a policy; the policies are {', '.join(POLICIES)}"


def _guarded(each: Check, package: str) -> Check:
    """Wrap a check so that its exceptions are reported as a defect of its package, not of skill-tools."""

    @functools.wraps(each.find)
    def find(evidence: Evidence) -> Iterator[Hit]:
        try:
            yield from _hits(each.find(evidence))
        except Exception as error:  # whatever the check does
            raise SkillToolsError(
                f"the check {each.id} of the package {package} raised "
                f"{type(error).__name__}{_line(error)}: {error}\n    {_fix(package)}"
            ) from error

    return replace(each, find=find)


def _line(error: Exception) -> str:
    """Return the file and line that raised an exception, as " at FILE:LINE", or "" if this module raised the
    exception."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return "" if last.filename == __file__ else f" at {Path(last.filename).name}:{last.lineno}"


def _hits(given: Iterable[object]) -> Iterator[Hit]:
    levels: set[str | None] = set()
    for one in given:
        if not isinstance(one, Hit):
            raise TypeError(f"the check yields {one!r}, which is not a Hit")
        if not isinstance(one.shown, Trajectory | None) or not isinstance(one.place, Place):
            raise TypeError(
                f"in {one!r}, shown must be a Trajectory or None, and place must be a Place"
            )
        if one.level not in (None, *get_args(Status)):
            raise ValueError(
                f"the check yields a hit of level {one.level!r}: use Hit, warn, note or skip"
            )
        if levels and "skip" in {*levels, one.level}:
            raise ValueError(
                "the check yields a skip as well as hits: if it skips, it must yield nothing else"
            )
        levels.add(one.level)
        yield one


def _error(entry: EntryPoint, why: str) -> SkillToolsError:
    package = _package(entry)
    place = f"({entry.value}, entry point {entry.name} in {GROUP})"
    return SkillToolsError(
        f"checks of the package {package} {place} cannot be used: {why}\n    {_fix(package)}"
    )


def _fix(package: str) -> str:
    return f"fix: repair or uninstall {package}, or set {SWITCH}=0 to disable checks from other packages"


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else entry.module
