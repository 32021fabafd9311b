"""A driver that plays any registered SkyRL Gym environment; it runs in SkyRL Gym's venv (see audit_driver)."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import AsyncIterator
from importlib.metadata import version
from typing import Any

import skyrl_gym
from audit_bounds import SAY, text_block
from audit_driver import Answered, main, read_rows

NOT_EXTRAS = frozenset({"prompt", "env_class"})
"""Columns of a dataset row that SkyRL's generator does not pass to the environment."""


class SkyRLSession:
    """An episode in one environment, which has just been initialized."""

    tools = [SAY]

    def __init__(self, environment: Any, opening: list[dict[str, Any]]) -> None:
        self.environment = environment
        self.prompt = [_as_message(message) for message in opening]
        self.seen: dict[str, Any] = {}

    async def call(self, tool: str, arguments: dict[str, Any]) -> Answered:
        """Pass the model's text to the environment."""
        result = self.environment.step(arguments["text"])
        if failure := (result.get("metadata") or {}).get("failure"):  # in one that we rendered
            raise RuntimeError(failure)
        done = result["done"]
        blocks = [text_block(each.get("content", "")) for each in result["observations"] or ()]
        if not blocks and done:
            blocks = [text_block("(the episode is over)")]
        limit = getattr(self.environment, "max_turns", None) or 0
        late = bool(done) and limit > 1 and getattr(self.environment, "turns", 0) >= limit
        return Answered(blocks, result["reward"], done, None, late)

    async def end(self, message: str) -> None:
        """Do nothing, because SkyRL Gym has no signal that the model stopped."""

    async def close(self) -> None:
        """Close the environment."""
        self.environment.close()


class SkyRLDriver:
    """A driver for SkyRL Gym's registry: ``id`` names an environment, and ``tasks`` has rows of its dataset."""

    name = "skyrl_gym"
    versions = {"skyrl-gym": version("skyrl-gym")}

    @contextlib.asynccontextmanager
    async def reaching(self, request: dict[str, Any]) -> AsyncIterator[None]:
        """Import the modules that register the environment."""
        for module in request["imports"]:
            importlib.import_module(module)
        self.id = request["id"]
        self.rows = read_rows(request["tasks"]) or [{"prompt": []}]
        yield

    async def discover(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the environment's name, its only tool (a text message), and the tasks, which are the given rows."""
        rows = self.rows
        await self.open({"index": 0})
        sizes = {"tasks": len(rows)} if request["tasks"] else {}
        places = [
            {"split": "tasks", "index": index, "seed": 0, "task": row}
            for index, row in enumerate(rows[: request["count"]])
        ]
        said = {"name": self.id, "tools": [SAY], "in_text": True, "seeded": False}
        return {**said, "splits": sizes, "places": places}

    async def open(self, script: dict[str, Any]) -> SkyRLSession:
        """Return a new environment for the script's row, created in the same way as SkyRL's generator creates it."""
        row = self.rows[script["index"]]
        extras = {key: value for key, value in row.items() if key not in NOT_EXTRAS}
        environment = skyrl_gym.make(self.id, env_config={}, extras=extras)
        prompt = row.get("prompt", [])
        if isinstance(prompt, str):
            prompt = [{"role": "user", "content": prompt}]
        opening, _ = environment.init(prompt)
        return SkyRLSession(environment, opening)


def _as_message(message: Any) -> dict[str, Any]:
    fields = dict(message)
    content = text_block(fields.get("content", ""))["text"]
    return {"role": str(fields.get("role", "user")), "content": content}


if __name__ == "__main__":
    main(SkyRLDriver())
