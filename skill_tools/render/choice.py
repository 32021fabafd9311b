"""The chosen variants: the variants that the user named or, by default, all variants of the environment."""

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
"""Selects every framework."""


@dataclass(frozen=True)
class Choice:
    """The chosen frameworks, and the spec with all frameworks that were rendered on request.

    ``unrendered`` are the chosen frameworks that have no variant in the folder.
    """

    spec: EnvSpec
    frameworks: tuple[str, ...]
    unrendered: tuple[str, ...]


def choose_variants(folder: Path, frameworks: Sequence[str] | None = None) -> Choice:
    """Choose the frameworks that the user named, or by default all frameworks of the environment.

    Raises SpecError for a broken spec, and SkillToolsError for a framework that does not exist.
    """
    named = list(FRAMEWORKS) if ALL in (frameworks or ()) else list(frameworks or ())
    known(named)
    spec = rules.load(folder).with_frameworks([*on_request(folder), *named])
    # load() has only checked the frameworks in env.yaml.
    if found := [Problem(SPEC_FILE, what, fix) for _, what, fix in rules.framework_problems(spec)]:
        raise SpecError(found)
    names = tuple(named or spec.frameworks)
    lacking = (name for name in names if not (folder / name / "rollout.py").is_file())
    return Choice(spec, names, tuple(lacking))


def choose_rendered(folder: Path, frameworks: Sequence[str] | None = None) -> Choice:
    """Choose variants as ``choose_variants`` does. Raises RenderError if a chosen variant is not rendered."""
    choice = choose_variants(folder, frameworks)
    if choice.unrendered:
        extra = set(choice.unrendered) - set(rules.load(folder).frameworks)
        raise RenderError(
            f"not rendered yet: {', '.join(choice.unrendered)}",
            remedy=Remedy("render", folder, choice.unrendered if extra else ()),
        )
    return choice


def plan_file(folder: Path, file: str) -> str:
    """Return the text of one file as rendered from the current env.yaml.

    Raises SkillToolsError if the rendering of env.yaml does not contain this file.
    """
    first = file.split("/")[0]
    planned = plan(choose_variants(folder, [first] if first in FRAMEWORKS else None).spec)
    if file not in planned:
        raise SkillToolsError(
            f"env.yaml renders to no file {file!r}{nearest(file, planned)} "
            "(the author's own files are not rendered; read them in the folder)"
        )
    content = planned[file]
    if isinstance(content, bytes):
        raise SkillToolsError(f"{file} is a wheel, which cannot be shown as text")
    return content
