"""A driver that plays one seat of a PettingZoo environment; the other seats play at random (see audit_driver)."""

from __future__ import annotations

import contextlib
import importlib
import random
import sys
from collections.abc import AsyncIterator, Mapping
from copy import deepcopy
from importlib.metadata import version
from typing import Any

import numpy as np
import pettingzoo
from audit_bounds import Broken, cut
from audit_driver import Answered, Refused, main
from audit_spaces.actions import in_words, step_action, step_tool
from audit_spaces.observations import (
    as_prompt,
    first_paragraph,
    observed,
    plain,
    render_mode,
    rendered,
    written,
)

MOST_ACTED = 40
"""Maximum number of other agents' actions to list in an observation."""
MOST_LISTED = 20
"""Maximum number of legal actions to list in a refusal."""
MASK = "action_mask"
"""The entry of an observation or an info with the legal actions."""
OUT = "the episode is over: the agent in this seat was removed"


class Players:
    """One environment, the model's seat, and the random players of all other agents."""

    seat: str

    def __init__(self, driver: PettingZooDriver, seed: int) -> None:
        self.env, self.seed, self.acted = driver.make(), seed, list[str]()
        self.spaces: dict[str, Any] = {}
        self.asked = driver.asked
        self.mask: Any = None

    def seat_of(self, agents: list[str]) -> str:
        """Return the seat of the model. Raises ValueError if no agent has the requested name."""
        names = [str(agent) for agent in agents]
        if not names:
            raise Broken("agents", "no agent is active after the reset")
        if self.asked and self.asked not in names:
            raise ValueError(f"there is no seat {self.asked!r}; the seats are: {', '.join(names)}")
        return agents[names.index(self.asked) if self.asked else 0]

    def draw(self, agent: str, mask: Any) -> Any:
        """Return a random legal action of another agent."""
        if agent not in self.spaces:
            # A copy, because an environment may share its spaces with its other episodes.
            self.spaces[agent] = deepcopy(self.env.action_space(agent))
            self.spaces[agent].seed(random.Random(f"{self.seed}/{agent}").getrandbits(31))
        mask = np.asarray(mask, np.int8) if isinstance(mask, np.ndarray | list) else mask
        action = self.spaces[agent].sample(mask)
        self.acted.append(f"{agent} played {written(action)}.")
        return action

    def show(self, value: Any, mask: Any) -> list[dict[str, Any]]:
        """Return an observation for the seat with the other agents' actions, and clear the list of these actions."""
        self.mask = mask
        blocks = observed(_without_mask(value))
        told, self.acted = self.acted[-MOST_ACTED:], []
        legal = None if mask is None else legal_of(self.env.action_space(self.seat), mask)
        if legal is not None and len(legal) <= MOST_ACTED:
            told.append(f"Legal actions: {plain(legal)}")
        return [*blocks, *({"type": "text", "text": cut(each)} for each in told)]


class Turns(Players):
    """An environment whose agents act in turn."""

    def open(self) -> list[dict[str, Any]]:
        """Reset the environment, play the others' actions until it is the seat's turn, and return the observation."""
        self.env.reset(seed=self.seed)
        self.seat = self.seat_of(self.env.agents)
        shown, _, over, late = self._others()
        if over or late:
            raise Broken(
                "agents", f"the agent in seat {self.seat} was removed before its first action"
            )
        return shown

    def play(self, action: Any) -> tuple[list[dict[str, Any]], Any, bool, bool]:
        """Play an action of the seat, and all other agents' actions until the seat's next turn."""
        self.env.step(action)
        return self._others()

    def _others(self) -> tuple[list[dict[str, Any]], Any, bool, bool]:
        while self.env.agents:
            agent = self.env.agent_selection
            value, reward, over, late, info = self.env.last()
            mask = mask_of(value, info)
            if agent == self.seat:
                return self.show(value, mask), reward, bool(over), bool(late)
            self.env.step(None if over or late else self.draw(agent, mask))
        # The seat never had another turn.
        reward = self.env._cumulative_rewards.get(self.seat, 0.0)
        late = bool(self.env.truncations.get(self.seat, False))
        return self.show(None, None), reward, not late, late


class Rounds(Players):
    """An environment whose agents act simultaneously."""

    def open(self) -> list[dict[str, Any]]:
        """Reset the environment, and return the seat's observation."""
        self.values, self.infos = self.env.reset(seed=self.seed)
        self.seat = self.seat_of(self.env.agents)
        value = self.values[self.seat]
        return self.show(value, mask_of(value, (self.infos or {}).get(self.seat)))

    def play(self, action: Any) -> tuple[list[dict[str, Any]], Any, bool, bool]:
        """Play an action of the seat, together with an action of every other agent."""
        actions = {
            agent: action if agent == self.seat else self._draw(agent) for agent in self.env.agents
        }
        self.values, rewards, over, late, self.infos = self.env.step(actions)
        seat = self.seat
        value, mask = self.values.get(seat), None
        ended, cut_short = bool(over.get(seat)), bool(late.get(seat))
        if seat in self.env.agents:
            mask = mask_of(value, self.infos.get(seat))
        elif not cut_short:
            ended = True
        return self.show(value, mask), rewards.get(seat), ended, cut_short

    def _draw(self, agent: str) -> Any:
        return self.draw(agent, mask_of(self.values.get(agent), (self.infos or {}).get(agent)))


class PettingZooSession:
    """One episode, in which the model plays one seat."""

    def __init__(self, driver: PettingZooDriver, seed: int) -> None:
        self.driver, self.over = driver, False
        self.players = (Rounds if driver.at_once else Turns)(driver, seed)
        try:
            self.opening = [*self.players.open(), *self._rendered()]
            # Agents, and with them the seat's actions, may differ by seed.
            self.tools = [step_tool(self.players.env.action_space(self.players.seat))]
        except BaseException:
            self.players.env.close()
            raise
        seat = self.players.seat
        self.prompt = as_prompt(
            f"{driver.title}\n\nYou are {seat}. {driver.rules}".strip(), self.opening
        )
        self.seen: dict[str, Any] = {"seat": str(seat)}

    async def call(self, tool: str, arguments: Any) -> Answered:
        """Play an action of the seat, or refuse an illegal action."""
        if self.over:
            raise Refused(OUT)
        space = self.players.env.action_space(self.players.seat)
        action = step_action(space, tool, arguments)
        legal = legal_of(space, self.players.mask)
        if legal is not None and int(action) not in legal:
            shown = ", ".join(map(str, legal[:MOST_LISTED]))
            more = f" and {len(legal) - MOST_LISTED} more" if len(legal) > MOST_LISTED else ""
            raise Refused(f"action {plain(action)} is illegal here; legal actions: {shown}{more}")
        blocks, reward, over, late = self.players.play(action)
        self.over = over or late
        return Answered([*blocks, *self._rendered()], reward, self.over, None, late and not over)

    async def end(self, message: str) -> None:
        """Do nothing, because PettingZoo has no signal that an agent stopped."""

    async def close(self) -> None:
        """Close the environment."""
        self.players.env.close()

    def _rendered(self) -> list[dict[str, Any]]:
        return rendered(self.players.env, self.driver.mode)


class PettingZooDriver:
    """A driver for a module or an id of PettingZoo's registry.

    ``id`` names the module or registry id; ``config`` has the environment's arguments and the seat.
    """

    name = "pettingzoo"
    versions = {"pettingzoo": version("pettingzoo")}

    @contextlib.asynccontextmanager
    async def reaching(self, request: dict[str, Any]) -> AsyncIterator[None]:
        """Import the environment, and create an instance to read the seat's space."""
        self.id, self.mode, self.config = request["id"], None, dict(request["config"])
        asked = self.config.pop("render", None)
        self.asked = str(self.config.pop("seat", "") or "")
        self.api = self.config.pop("api", None)
        if request["folder"]:
            sys.path.insert(0, request["folder"])
        for module in request["imports"]:
            importlib.import_module(module)
        self.creator, doc = self._creator()
        environment = self.make()
        inner = getattr(environment, "unwrapped", environment)
        self.at_once = not hasattr(environment, "agent_iter")
        self.mode = render_mode(environment.metadata, asked)
        players = (Rounds if self.at_once else Turns)(self, 0)
        players.open()
        self.seat, self.agents = players.seat, [str(agent) for agent in players.env.agents]
        space = players.env.action_space(players.seat)
        self.limit = getattr(inner, "max_cycles", None)
        for each in (environment, players.env):
            each.close()
        self.title = first_paragraph(doc or type(inner).__doc__)
        turns = "at the same time" if self.at_once else "in turn"
        self.rules = f"The other agents act {turns} and at random; you see what they did."
        self.rules += f" An action is {in_words(space)}."
        self.tool = step_tool(space)
        yield

    async def discover(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the environment's name, its only tool (a step of the seat), and its tasks, which are seeds."""
        places = [{"split": None, "index": None, "seed": seed} for seed in range(request["count"])]
        found = {"name": self.id, "title": self.id, "description": self.title}
        found |= {"tools": [self.tool], "places": places, "seeded": True, "texts": False}
        found |= {"ends_itself": True, "seat": str(self.seat), "seats": self.agents}
        limited = isinstance(self.limit, int) and not self.limit < 1
        return {**found, **({"max_turns": self.limit} if limited else {})}

    async def open(self, script: dict[str, Any]) -> PettingZooSession:
        """Return a new environment, reset with the script's seed."""
        return PettingZooSession(self, script["seed"])

    def make(self) -> Any:
        """Return a new environment."""
        rendering = {"render_mode": self.mode} if self.mode else {}
        return self.creator(**rendering, **self.config)

    def _creator(self) -> tuple[Any, str]:
        """Return a function that creates the environment, and the environment's description."""
        if "/" in self.id:
            api = self.api or "aec"
            made = pettingzoo.make  # since 1.26
            return lambda **more: made(api, self.id, **more), ""
        name, _, attribute = self.id.partition(":")
        module = importlib.import_module(name)
        wanted = [attribute] if attribute else ["env", "raw_env", "parallel_env"]
        if self.api == "parallel":
            wanted.reverse()
        found = next((each for each in wanted if callable(getattr(module, each, None))), None)
        if found is None:
            raise Broken("environment", f"the module {name} defines neither of {', '.join(wanted)}")
        made = getattr(module, found)
        return made, sys.modules[made.__module__].__doc__ or ""


def mask_of(value: Any, info: Any) -> Any:
    """Return the mask of legal actions in an observation or an info; None if neither has a mask."""
    for each in (value, info):
        if isinstance(each, Mapping) and each.get(MASK) is not None:
            return each[MASK]
    return None


def legal_of(space: Any, mask: Any) -> list[int] | None:
    """Return the legal actions according to a mask of discrete actions; None if no such mask limits the actions."""
    if mask is None or not hasattr(space, "n") or np.ndim(mask) != 1:
        return None
    return [int(space.start) + int(at) for at in np.flatnonzero(np.asarray(mask))]


def _without_mask(value: Any) -> Any:
    """Return an observation without its mask, because the list of legal actions is shown separately."""
    if not isinstance(value, Mapping) or MASK not in value:
        return value
    left = {name: inner for name, inner in value.items() if name != MASK}
    return left["observation"] if left.keys() == {"observation"} else left


if __name__ == "__main__":
    main(PettingZooDriver())
