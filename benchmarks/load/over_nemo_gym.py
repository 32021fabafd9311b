# ruff: noqa: D102 - documented in pacing.Session
"""Sessions over HTTP with a cookie each, as NeMo Gym's agent servers play them."""

import aiohttp
from pacing import main

GAME_OVER = "The game is over."
RESPONSE = {
    "id": "response",
    "created_at": 0,
    "model": "scripted",
    "object": "response",
    "output": [],
    "parallel_tool_calls": False,
    "tool_choice": "auto",
    "tools": [],
}
"""The least that /verify takes for a model's response."""


class NemoGymSession:
    """One cookie."""

    def __init__(self, url: str) -> None:
        self.url = url

    async def open(self) -> None:
        self.http = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))
        self.playing = False

    async def start(self, task: int) -> None:
        row = {"responses_create_params": {"input": []}, "split": "train", "index": task}
        if self.playing:
            await self._post("verify", {**row, "response": RESPONSE})
        self.playing = True
        await self._post("seed_session", row)

    async def step(self, column: int) -> bool:
        return GAME_OVER in await self._post("drop_piece", {"column": column})

    async def close(self) -> None:
        await self.http.close()

    async def _post(self, route: str, body: dict) -> str:
        async with self.http.post(f"{self.url}/{route}", json=body) as answer:
            text = await answer.text()
            if answer.status != 200:
                raise RuntimeError(f"{route}: {answer.status} {text}")
            return text


if __name__ == "__main__":
    main(NemoGymSession)
