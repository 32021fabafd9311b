"""What a wheel has besides: rl_env_harness, which we import. An editable install finds it by its path.

Beside it lie its sources, in `skill_tools/_packages`: environments are given a wheel of those.
"""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Harness(BuildHookInterface[Any]):
    """Adds the package to a wheel that is to be installed whole."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before a wheel is built; ``version`` is standard or editable."""
        if version == "standard":
            source = "packages/rl-env-harness/src/rl_env_harness"
            build_data["force_include"][source] = "rl_env_harness"
