"""A driver that plays any Gymnasium environment, given as a registered id or a class (see audit_driver)."""

from __future__ import annotations

import contextlib
import importlib
import math
import re
import sys
from collections.abc import AsyncIterator
from importlib.metadata import version
from typing import Any

import gymnasium
from audit_bounds import cut
from audit_driver import Answered, Refused, main
from audit_spaces.actions import in_words, step_action, step_tool
from audit_spaces.observations import (
    LARGEST_DOC,
    LONGEST,
    as_prompt,
    first_paragraph,
    observed,
    render_mode,
    rendered,
)
from gymnasium.envs.registration import EnvSpec

HEADING = re.compile(r"^#{1,6}[ \t]{1,4}(.{1,80})$", re.MULTILINE)
"""Matches a heading of a docstring, as Gymnasium's own environments write them."""


class GymnasiumSession:
    """An episode in a newly reset environment, which cannot be stepped after the episode's end."""

    seen: dict[str, Any] = {}

    def __init__(self, driver: GymnasiumDriver, seed: int) -> None:
        self.driver, self.over = driver, False
        self.environment = driver.make()
        self.tools = [driver.tool]
        try:
            for space in (self.environment.action_space, self.environment.observation_space):
                space.seed(seed)
            opening, _ = self.environment.reset(seed=seed)
            shown = self._show(opening)
        except BaseException:
            self.environment.close()
            raise
        self.opening, self.prompt = shown, as_prompt(driver.about, shown)

    async def call(self, tool: str, arguments: Any) -> Answered:
        """Pass an action to the environment."""
        if self.over:
            raise Refused("the episode is over: Gymnasium has no step after its end")
        action = step_action(self.environment.action_space, tool, arguments)
        shown, reward, terminated, truncated, _ = self.environment.step(action)
        self.over = bool(terminated or truncated)
        late = bool(truncated and not terminated)
        return Answered(self._show(shown), reward, self.over, None, late)

    async def end(self, message: str) -> None:
        """Do nothing, because Gymnasium has no signal that the model stopped."""

    async def close(self) -> None:
        """Close the environment."""
        self.environment.close()

    def _show(self, value: Any) -> list[dict[str, Any]]:
        return [*observed(value), *rendered(self.environment, self.driver.mode)]


class GymnasiumDriver:
    """A driver for Gymnasium's registry: ``id`` names an environment, or a class in the form ``module:Class``."""

    name = "gymnasium"
    versions = {"gymnasium": version("gymnasium")}

    @contextlib.asynccontextmanager
    async def reaching(self, request: dict[str, Any]) -> AsyncIterator[None]:
        """Import the modules that register the environment, and make an environment to read its spaces."""
        self.id, self.mode, self.config = request["id"], None, dict(request["config"])
        asked = self.config.pop("render", None)
        if request["folder"]:
            sys.path.insert(0, request["folder"])
        for module in request["imports"]:
            importlib.import_module(module)
        self.made = self._resolve()
        environment = self.make()
        self.mode = render_mode(environment.metadata, asked)
        space, self.spec = environment.action_space, environment.spec
        self.paid = getattr(environment.unwrapped, "reward_range", None)
        doc = type(environment.unwrapped).__doc__ or ""
        self.title, self.tool = first_paragraph(doc), step_tool(space)
        words = f"An action is {in_words(space)}."
        self.about = "\n\n".join(filter(None, [self.title, _about_actions(doc), words]))
        environment.close()
        yield

    async def discover(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the environment's name and limits, its only tool (a step), and its tasks, which are seeds."""
        places = [{"split": None, "index": None, "seed": seed} for seed in range(request["count"])]
        found = {"name": self.id, "tools": [self.tool], "places": places, "seeded": True}
        found |= {"title": self.id, "description": self.title, "texts": False, "ends_itself": True}
        limit = self.spec.max_episode_steps if self.spec else None
        limits = {"max_turns": limit, "reward_range": _range_of(self.paid)}
        return {**found, **{name: each for name, each in limits.items() if each is not None}}

    async def open(self, script: dict[str, Any]) -> GymnasiumSession:
        """Return a new environment, reset with the script's seed."""
        return GymnasiumSession(self, script["seed"])

    def make(self) -> Any:
        """Return a new environment, with Gymnasium's own wrappers."""
        rendering = {"render_mode": self.mode} if self.mode else {}
        return gymnasium.make(self.made, **rendering, **self.config)

    def _resolve(self) -> Any:
        """Return the argument for ``gymnasium.make``: the id, or a spec around a class."""
        module, _, name = self.id.rpartition(":")
        if not module:
            return self.id
        made = getattr(importlib.import_module(module), name, None)
        if not callable(made):  # as in `module:Name-v0`, an id that the module registers
            return self.id
        return EnvSpec(id=re.sub(r"[^\w:.-]", "-", name), entry_point=made)


def _about_actions(doc: str) -> str:
    """Return the docstring's section about actions; "" if there is no such section."""
    text = "\n".join(line.strip() for line in doc[:LARGEST_DOC].splitlines())
    headings = list(HEADING.finditer(text))
    for at, heading in enumerate(headings):
        if "action" in heading[1].lower():
            ends = headings[at + 1].start() if at + 1 < len(headings) else len(text)
            return cut(text[heading.end() : ends].strip(), LONGEST)
    return ""


def _range_of(stated: Any) -> list[float] | None:
    """Return the range of a step's reward that a class states; None without a pair of finite numbers."""
    with contextlib.suppress(TypeError, ValueError):
        low, high = map(float, stated)
        return [low, high] if math.isfinite(low) and math.isfinite(high) else None
    return None


if __name__ == "__main__":
    main(GymnasiumDriver())
