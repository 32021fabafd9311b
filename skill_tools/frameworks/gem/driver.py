"""A driver that plays any registered GEM environment; it runs in GEM's venv (see audit_driver)."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import AsyncIterator
from importlib.metadata import version
from typing import Any

import gem
from audit_bounds import SAY, text_block
from audit_driver import Answered, main

SAMPLES = 12
"""Number of actions to request from an environment's own random player."""


class GemSession:
    """An episode in one environment, which has just been reset."""

    seen: dict[str, Any] = {}
    tools = [SAY]

    def __init__(self, environment: Any, opening: str) -> None:
        self.environment = environment
        self.prompt = [{"role": "user", "content": text_block(opening)["text"]}]

    async def call(self, tool: str, arguments: dict[str, Any]) -> Answered:
        """Pass the model's text to the environment."""
        shown, reward, terminated, truncated, info = self.environment.step(arguments["text"])
        texts = [shown, info["suffix"]] if info.get("suffix") else [shown]
        blocks = [text_block(each) for each in texts]
        return Answered(blocks, reward, bool(terminated or truncated), None, bool(truncated))

    async def end(self, message: str) -> None:
        """Do nothing, because GEM has no signal that the model stopped."""

    async def close(self) -> None:
        """Close the environment, if it has a ``close`` method."""
        if hasattr(self.environment, "close"):
            self.environment.close()


class GemDriver:
    """A driver for GEM's registry: ``id`` names an environment, and ``imports`` names the modules that register it."""

    name = "gem"
    versions = {"gem-llm": version("gem-llm")}

    @contextlib.asynccontextmanager
    async def reaching(self, request: dict[str, Any]) -> AsyncIterator[None]:
        """Import the modules that register the environment."""
        for module in request["imports"]:
            importlib.import_module(module)
        self.id = request["id"]
        yield

    async def discover(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the environment's name, its only tool (a text message), and its tasks, which are seeds."""
        environment = gem.make(self.id)
        environment.reset(seed=0)
        samples = []
        with contextlib.suppress(Exception):  # most have none
            samples = [str(environment.sample_random_action()) for _ in range(SAMPLES)]
        places = [{"split": None, "index": None, "seed": seed} for seed in range(request["count"])]
        said = {"name": self.id, "tools": [SAY], "in_text": True, "seeded": True}
        return {**said, "places": places, "samples": samples}

    async def open(self, script: dict[str, Any]) -> GemSession:
        """Return a new environment, reset with the script's seed."""
        environment = gem.make(self.id)
        opening, info = environment.reset(seed=script["seed"])
        return GemSession(environment, f"{opening}\n{info.get('suffix', '')}".strip())


if __name__ == "__main__":
    main(GemDriver())
