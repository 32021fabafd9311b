"""Which variants are meant: those named, or those of env.yaml and those rendered on request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from skill_tools.errors import (
    Problem,
    Remedy,
    RenderError,
    SkillToolsError,
    SpecError,
    nearest,
)
from skill_tools.files import SPEC_FILE
from skill_tools.frameworks import FRAMEWORKS, known, rules
from skill_tools.render.plan import plan
from skill_tools.render.writer import on_request
from skill_tools.spec.model import EnvSpec

ALL = "all"
"""Stands for every framework there is."""


@dataclass(frozen=True)
class Choice:
    """The spec with what was rendered on request, and the frameworks that are meant now.

    ``unrendered`` are those of them that have no variant in the folder yet.
    """

    spec: EnvSpec
    frameworks: tuple[str, ...]
    unrendered: tuple[str, ...]


def choose_variants(folder: Path, frameworks: Sequence[str] | None = None) -> Choice:
    """Settle which frameworks are meant.

    Raises SpecError for a broken spec, SkillToolsError for a framework that does not exist.
    """
    named = list(FRAMEWORKS) if ALL in (frameworks or ()) else list(frameworks or ())
    known(named)
    spec = rules.load(folder).with_frameworks([*on_request(folder), *named])
    # What env.yaml does not name, load() has not looked at.
    if found := [Problem(SPEC_FILE, what, fix) for _, what, fix in rules.framework_problems(spec)]:
        raise SpecError(found)
    names = tuple(named or spec.frameworks)
    lacking = (name for name in names if not (folder / name / "rollout.py").is_file())
    return Choice(spec, names, tuple(lacking))


def choose_rendered(folder: Path, frameworks: Sequence[str] | None = None) -> Choice:
    """As ``choose_variants``, of variants that can be played; raises RenderError if one is not."""
    choice = choose_variants(folder, frameworks)
    if choice.unrendered:
        extra = set(choice.unrendered) - set(rules.load(folder).frameworks)
        raise RenderError(
            f"not rendered yet: {', '.join(choice.unrendered)}",
            remedy=Remedy("render", folder, choice.unrendered if extra else ()),
        )
    return choice


def plan_file(folder: Path, file: str) -> str:
    """The text of one file as env.yaml renders to now; raises SkillToolsError if it does not."""
    first = file.split("/")[0]
    planned = plan(choose_variants(folder, [first] if first in FRAMEWORKS else None).spec)
    if file not in planned:
        raise SkillToolsError(
            f"env.yaml renders to no file {file!r}{nearest(file, planned)} "
            "(the author's own files are not rendered: read those in the folder)"
        )
    content = planned[file]
    if isinstance(content, bytes):
        raise SkillToolsError(f"{file} is a wheel, and no text to show")
    return content
