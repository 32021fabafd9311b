"""The frameworks we render for; adding one is a folder here and a line in the table."""

from __future__ import annotations

from collections.abc import Sequence

from skill_tools.errors import SkillToolsError
from skill_tools.frameworks.framework import Framework
from skill_tools.frameworks.gem import GEM
from skill_tools.frameworks.nemo_gym import NEMO_GYM
from skill_tools.frameworks.openenv import OPENENV
from skill_tools.frameworks.ors import ORS
from skill_tools.frameworks.skyrl_gym import SKYRL_GYM
from skill_tools.frameworks.verifiers import VERIFIERS

FRAMEWORKS: dict[str, Framework] = {
    framework.name: framework for framework in (OPENENV, ORS, VERIFIERS, NEMO_GYM, SKYRL_GYM, GEM)
}

__all__ = ["FRAMEWORKS", "Framework", "known"]


def known(names: Sequence[str]) -> list[Framework]:
    """The frameworks of these names; raises SkillToolsError naming those there are."""
    for name in names:
        if name not in FRAMEWORKS:
            there = ", ".join(FRAMEWORKS)
            raise SkillToolsError(f"there is no framework {name!r}; there are: {there}")
    return [FRAMEWORKS[name] for name in names]
