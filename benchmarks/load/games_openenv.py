# ruff: noqa: D102 - documented in games.Session
"""OpenEnv through the variant's own client: a WebSocket per session, a reset per game."""

import argparse
import contextlib
from collections.abc import AsyncIterator

from client import WordleEnv
from games import Game, accepted, over_http


class OpenEnvSession:
    """One WebSocket."""

    def __init__(self, client: WordleEnv) -> None:
        self.client = client

    async def start(self, game: Game) -> None:
        self.total = 0.0
        await self.client.reset(split=game.split, index=game.index)

    async def step(self, game: Game, turn: int) -> bool:
        result = await self.client.call_tool("guess", game.arguments[turn])
        accepted(result.observation.error)
        self.total += result.reward
        return result.done

    async def end(self) -> float:
        return self.total


@contextlib.asynccontextmanager
async def connect(args: argparse.Namespace) -> AsyncIterator[list[OpenEnvSession]]:
    async with contextlib.AsyncExitStack() as stack:
        clients = [WordleEnv(base_url=args.url) for _ in range(args.sessions)]
        for client in clients:
            await stack.enter_async_context(client)
        yield [OpenEnvSession(client) for client in clients]


if __name__ == "__main__":
    over_http(connect)
