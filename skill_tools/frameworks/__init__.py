"""The frameworks we render for; adding one is a folder here and a line in the table."""

from __future__ import annotations

from skill_tools.frameworks.framework import Framework
from skill_tools.frameworks.nemo_gym import NEMO_GYM
from skill_tools.frameworks.openenv import OPENENV
from skill_tools.frameworks.ors import ORS
from skill_tools.frameworks.verifiers import VERIFIERS

FRAMEWORKS: dict[str, Framework] = {
    framework.name: framework for framework in (OPENENV, ORS, VERIFIERS, NEMO_GYM)
}

__all__ = ["FRAMEWORKS", "Framework"]
