"""Reference data on archetypes, frameworks and checks, as plain values for the CLI and the MCP server."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any

from skill_tools import archetypes
from skill_tools.checks import catalogue
from skill_tools.frameworks import FRAMEWORKS, Framework, known
from skill_tools.spec.model import USUAL_FRAMEWORKS

BRIEF_ARCHETYPE = ("name", "title", "when", "not_when", "hallmarks")
BRIEF_FRAMEWORK = (
    *("name", "title", "requirements", "python", "transport", "actions"),
    *("summary", "docs", "default"),
)
HELD_BACK = frozenset(
    {
        "affinity",
        "configured",
        "endpoint",
        "environment",
        "formerly",
        "in_folder",
        "not_bundled",
        "packages",
        "reads_text",
    }
    | {"url_variable", "warm_imports"}
)
"""Fields that do not help to choose a framework, or are code."""


def list_archetypes(*, brief: bool = False) -> list[dict[str, Any]]:
    """Return all facts about every kind of environment; with ``brief``, only the facts needed to choose a kind."""
    names = BRIEF_ARCHETYPE if brief else [each.name for each in fields(archetypes.Archetype)]
    rows = (asdict(each) for each in archetypes.ARCHETYPES.values())
    return [{name: row[name] for name in names} for row in rows]


def find_archetype(name: str) -> dict[str, Any]:
    """Return all facts about one kind of environment.

    If the kind does not exist, raise SpecError with the most similar name.
    """
    return asdict(archetypes.find(name))


def list_frameworks() -> list[dict[str, Any]]:
    """Return the facts that distinguish the frameworks. ``default`` marks the frameworks of an env.yaml that names
    none.
    """
    return [
        {name: value for name, value in _facts(each).items() if name in BRIEF_FRAMEWORK}
        for each in FRAMEWORKS.values()
    ]


def find_framework(name: str) -> dict[str, Any]:
    """Return all facts about a framework.

    If the framework does not exist, raise SkillToolsError with a list of the valid names.
    """
    (found,) = known([name])
    return _facts(found)


def list_checks() -> list[dict[str, Any]]:
    """Return every check: first the built-in checks, then the checks of installed packages, with the package's name
    in ``package``.
    """
    return [each.model_dump() for each in [*catalogue.entries(), *catalogue.own_entries()]]


def find_check(wanted: str) -> dict[str, Any]:
    """Return a check by id or name. If the check does not exist, raise SkillToolsError with the most similar name."""
    return catalogue.find(wanted).model_dump()


def _facts(framework: Framework) -> dict[str, Any]:
    names = [each.name for each in fields(framework) if each.name not in HELD_BACK]
    facts = {name: getattr(framework, name) for name in names}
    facts |= {name: sorted(value) for name, value in facts.items() if isinstance(value, frozenset)}
    return {**facts, "default": framework.name in USUAL_FRAMEWORKS}
