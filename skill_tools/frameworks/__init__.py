"""The frameworks we render for; adding one is a folder here and its name in FrameworkName."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from skill_tools.errors import SkillToolsError, nearest
from skill_tools.frameworks.framework import Framework
from skill_tools.spec.model import FRAMEWORK_NAMES

FRAMEWORKS: dict[str, Framework] = {
    name: getattr(import_module(f"{__name__}.{name}"), name.upper()) for name in FRAMEWORK_NAMES
}

__all__ = ["FRAMEWORKS", "Framework", "known"]


def known(names: Sequence[str]) -> list[Framework]:
    """The frameworks of these names; raises SkillToolsError naming those there are."""
    for name in names:
        if name not in FRAMEWORKS:
            raise SkillToolsError(f"there is no framework {name!r}{nearest(name, FRAMEWORKS)}")
    return [FRAMEWORKS[name] for name in names]
