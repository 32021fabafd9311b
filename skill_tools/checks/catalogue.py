"""Lookup of a check by its id or name."""

from __future__ import annotations

from pydantic import BaseModel

from skill_tools.checks import CHECKS, FAMILIES, Check
from skill_tools.checks.check import bounded_names, no_bound
from skill_tools.checks.own import every_check, own_checks
from skill_tools.errors import Problem, SkillToolsError, SpecError, closest
from skill_tools.spec.model import EnvSpec

LEVELS = {"fail": "error", "warn": "warning", "note": "note"}
"""The name of a check's hits, by level; a hit may be milder than its check."""


class Entry(BaseModel):
    """A check, as shown to people."""

    id: str
    name: str
    family: str
    what: str
    why: str
    fix: str
    level: str
    """error, warning or note."""
    needs: list[str]
    """What must have been observed or declared, in words."""
    plays: list[str]
    after: list[str]
    bound: str = ""
    """What `bounds` in env.yaml may set, and its default; "" if there is no bound."""
    package: str = ""
    """The package that a custom check comes from."""


def entries() -> list[Entry]:
    """Return all built-in checks, in the order of the catalogue."""
    return [_entry(each, FAMILIES[each.family]) for each in CHECKS.values()]


def own_entries() -> list[Entry]:
    """Return the custom checks of installed packages."""
    return [
        _entry(own.check, f"checks of {own.package}", own.package) for own in own_checks().values()
    ]


def _entry(each: Check, family: str, package: str = "") -> Entry:
    return Entry(
        id=each.id,
        name=each.name,
        family=family,
        what=each.what,
        why=each.why,
        fix=each.fix,
        level=LEVELS[each.level],
        needs=[need.what for need in each.needs],
        plays=list(each.plays),
        after=list(each.explained_by),
        bound=each.bound,
        package=package,
    )


def find(wanted: str) -> Entry:
    """Return the check with this id or name.

    Raise SkillToolsError, with the closest match, if the check does not exist.
    """
    formerly = {each.id: each.formerly for each in every_check().values()}
    known = {
        key: entry
        for entry in [*entries(), *own_entries()]
        for key in (entry.id, entry.name, *formerly.get(entry.id, ()))
    }
    for key, entry in known.items():
        if key.lower() == wanted.lower():
            return entry
    close = closest(wanted, known)
    hint = f"; did you mean {close!r}?" if close else ""
    raise SkillToolsError(f"there is no check {wanted!r}{hint} (an id such as REW001, or a name)")


def refuse_unknown(spec: EnvSpec) -> None:
    """Raise SpecError if exceptions or bounds in the env spec name unknown checks.

    The error names the closest match.
    """
    names = [name for each in every_check().values() for name in each.names]
    problems = [
        Problem(
            f"env.yaml: exceptions.{place}.check",
            f"there is no check {each.check!r}",
            f"write {close!r}"
            if (close := closest(each.check, names))
            else "name a check from docs/checks.md",
        )
        for place, each in enumerate(spec.exceptions)
        if each.check not in names
    ]
    bounded = bounded_names(every_check())
    problems += [
        Problem(f"env.yaml: bounds.{name}", no_bound(name, bounded), "remove or correct it")
        for name in spec.bounds
        if name not in bounded
    ]
    if problems:
        raise SpecError(problems)
