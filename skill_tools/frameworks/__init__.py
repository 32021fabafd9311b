"""The frameworks that skill-tools renders for; a new framework needs a folder here and a name in FrameworkName."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from skill_tools.errors import SkillToolsError, nearest
from skill_tools.frameworks.framework import Framework, Playable
from skill_tools.frameworks.gymnasium import GYMNASIUM
from skill_tools.frameworks.mcp import MCP
from skill_tools.frameworks.pettingzoo import PETTINGZOO
from skill_tools.frameworks.reward_function import REWARD_FUNCTION
from skill_tools.frameworks.verifiers_v0 import VERIFIERS_V0
from skill_tools.spec.model import FRAMEWORK_NAMES

FRAMEWORKS: dict[str, Framework] = {
    name: getattr(import_module(f"{__name__}.{name}"), name.upper()) for name in FRAMEWORK_NAMES
}
PLAYABLE: dict[str, Playable] = {
    **FRAMEWORKS,
    **{each.name: each for each in (REWARD_FUNCTION, VERIFIERS_V0, GYMNASIUM, PETTINGZOO, MCP)},
}
"""The frameworks that an audit can play: those that skill-tools renders for, and others."""

__all__ = ["FRAMEWORKS", "PLAYABLE", "Framework", "Playable", "known"]


def known(names: Sequence[str]) -> list[Framework]:
    """Return the frameworks with these names. Raises SkillToolsError for an unknown name."""
    for name in names:
        if name not in FRAMEWORKS:
            raise SkillToolsError(f"there is no framework {name!r}{nearest(name, FRAMEWORKS)}")
    return [FRAMEWORKS[name] for name in names]
