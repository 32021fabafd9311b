# ruff: noqa: D102 - documented in games.Session
"""ORS through OpenReward's own client: a session per game, its prompt read; tasks listed before."""

import argparse
import contextlib
import os
from collections.abc import AsyncIterator

os.environ.setdefault("OPENREWARD_LOG_LEVEL", "WARNING")
os.environ.setdefault("OPENREWARD_DISABLE_UPDATE_CHECK", "1")

from games import Game, accepted, over_http
from openreward import AsyncEnvironmentsAPI
from openreward.api.environments.client import AsyncEnvironment
from openreward.api.environments.types import Task

NAME = "wordle"


class OrsSession:
    """One session after the other."""

    def __init__(self, environment: AsyncEnvironment, tasks: list[Task]) -> None:
        self.environment, self.tasks = environment, tasks

    async def start(self, game: Game) -> None:
        self.total = 0.0
        self.session = self.environment.session(task=self.tasks[game.index])
        await self.session.__aenter__()
        await self.session.get_prompt()

    async def step(self, game: Game, turn: int) -> bool:
        output = await self.session.call_tool("guess", game.arguments[turn])
        accepted(output.metadata["error"])
        self.total += output.reward or 0.0
        return output.finished

    async def end(self) -> float:
        await self.session.__aexit__(None, None, None)
        return self.total


@contextlib.asynccontextmanager
async def connect(args: argparse.Namespace) -> AsyncIterator[list[OrsSession]]:
    async with AsyncEnvironmentsAPI(base_url=args.url, api_key="") as api:
        environment = api.get(NAME, variant=NAME)
        tasks = await environment.list_tasks(args.games[0].split)
        yield [OrsSession(environment, tasks) for _ in range(args.sessions)]


if __name__ == "__main__":
    over_http(connect)
