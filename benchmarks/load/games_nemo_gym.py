# ruff: noqa: D102 - documented in games.Session
"""NeMo Gym's resources server through NeMo Gym's own client, with the requests of an agent."""

import argparse
import contextlib
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlsplit

from games import MAX_TURNS, Game, accepted, over_http
from nemo_gym.config_types import BaseServerConfig
from nemo_gym.server_utils import (
    GlobalAIOHTTPAsyncClientConfig,
    ServerClient,
    get_global_aiohttp_client,
    get_response_json,
    set_global_aiohttp_client,
)
from nemo_gym_client import RESPONSE
from omegaconf import OmegaConf

SERVER = "wordle_resources_server"


class NemoGymSession:
    """One cookie per game."""

    def __init__(self, client: ServerClient) -> None:
        self.client = client

    async def start(self, game: Game) -> None:
        self.cookies: dict[str, str] = {}
        self.row = {
            "responses_create_params": {"input": []},
            "split": game.split,
            "index": game.index,
            "max_turns": MAX_TURNS,
        }
        self.total = 0.0
        await self._post("/reset", json=dict(self.row))

    async def step(self, game: Game, turn: int) -> bool:
        arguments = game.calls[turn][0]["function"]["arguments"]
        call = {"type": "function_call", "call_id": "call", "name": "guess", "arguments": arguments}
        response = {**RESPONSE, "output": [call]}
        played = await self._post("/step", json={**self.row, "response": response})
        accepted(played["info"]["steps"][0]["error"])
        self.total += played["reward"]
        return played["terminated"] or played["truncated"]

    async def end(self) -> float:
        return self.total

    async def _post(self, path: str, **request: Any) -> Any:
        answer = await self.client.post(SERVER, path, cookies=self.cookies, **request)
        if not answer.ok:
            raise RuntimeError(f"{path}: {answer.status} {await answer.text()}")
        self.cookies |= {name: morsel.value for name, morsel in answer.cookies.items()}
        return await get_response_json(answer)


@contextlib.asynccontextmanager
async def connect(args: argparse.Namespace) -> AsyncIterator[list[NemoGymSession]]:
    address = urlsplit(args.url)
    server = {"host": address.hostname, "port": address.port}
    client = ServerClient(
        head_server_config=BaseServerConfig(host="127.0.0.1", port=0),
        global_config_dict=OmegaConf.create({SERVER: {"resources_servers": {"app": server}}}),
    )
    set_global_aiohttp_client(GlobalAIOHTTPAsyncClientConfig())
    try:
        yield [NemoGymSession(client) for _ in range(args.sessions)]
    finally:
        await get_global_aiohttp_client().close()


if __name__ == "__main__":
    over_http(connect)
