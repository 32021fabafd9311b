"""Looking a check up by its id or its name."""

from __future__ import annotations

from pydantic import BaseModel

from skill_tools.checks import CHECKS, FAMILIES
from skill_tools.errors import Problem, SkillToolsError, SpecError, closest
from skill_tools.spec.model import EnvSpec


class Entry(BaseModel):
    """A check as people read about it."""

    id: str
    name: str
    family: str
    what: str
    why: str
    fix: str
    needs: list[str]
    plays: list[str]
    after: list[str]


def entries() -> list[Entry]:
    """All checks, in the order of the catalogue."""
    return [
        Entry(
            id=each.id,
            name=each.name,
            family=FAMILIES[each.family],
            what=each.what,
            why=each.why,
            fix=each.fix,
            needs=[need.name for need in each.needs],
            plays=list(each.plays),
            after=list(each.after),
        )
        for each in CHECKS.values()
    ]


def find(wanted: str) -> Entry:
    """The check of an id or name; raises SkillToolsError naming the nearest."""
    known = {key: entry for entry in entries() for key in (entry.id, entry.name)}
    for key, entry in known.items():
        if key.lower() == wanted.lower():
            return entry
    close = closest(wanted, known)
    hint = f"; did you mean {close!r}?" if close else ""
    raise SkillToolsError(f"there is no check {wanted!r}{hint} (an id such as REW001, or a name)")


def refuse_unknown(spec: EnvSpec) -> None:
    """Raise SpecError for exceptions of checks that there are none of, naming the nearest."""
    names = [name for each in CHECKS.values() for name in (each.id, each.name)]
    problems = [
        Problem(
            f"env.yaml: exceptions.{place}.check",
            f"there is no check {each.check!r}",
            f"write {close!r}"
            if (close := closest(each.check, names))
            else "name one of docs/checks.md",
        )
        for place, each in enumerate(spec.exceptions)
        if each.check not in names
    ]
    if problems:
        raise SpecError(problems)
