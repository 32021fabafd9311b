"""The frameworks that most live tests play: all but TRL, which brings PyTorch and has tests of its own."""

from __future__ import annotations

from skill_tools import frameworks

FRAMEWORKS = {name: facts for name, facts in frameworks.FRAMEWORKS.items() if name != "trl"}
FRAMEWORK_NAMES = tuple(FRAMEWORKS)
