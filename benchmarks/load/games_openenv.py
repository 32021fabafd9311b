# ruff: noqa: D102 - documented in games.Session
"""OpenEnv through OpenEnv's generic client: a WebSocket per session, a reset per game."""

import argparse
import contextlib
from collections.abc import AsyncIterator

from games import Game, accepted, over_http
from openenv.core import GenericEnvClient


class OpenEnvSession:
    """One WebSocket."""

    def __init__(self, client: GenericEnvClient) -> None:
        self.client = client

    async def start(self, game: Game) -> None:
        self.total = 0.0
        await self.client.reset(split=game.split, index=game.index)

    async def step(self, game: Game, turn: int) -> bool:
        action = {"type": "call_tool", "tool_name": "guess", "arguments": game.arguments[turn]}
        result = await self.client.step(action)
        accepted(result.observation["result"]["error"])
        self.total += result.reward
        return result.done

    async def end(self) -> float:
        return self.total


@contextlib.asynccontextmanager
async def connect(args: argparse.Namespace) -> AsyncIterator[list[OpenEnvSession]]:
    async with contextlib.AsyncExitStack() as stack:
        clients = [GenericEnvClient(base_url=args.url) for _ in range(args.sessions)]
        for client in clients:
            await stack.enter_async_context(client)
        yield [OpenEnvSession(client) for client in clients]


if __name__ == "__main__":
    over_http(connect)
