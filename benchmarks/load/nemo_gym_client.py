# ruff: noqa: D102 - documented in pace.Session
"""Sessions over HTTP with a cookie each, as NeMo Gym's agent servers play them."""

import json

import aiohttp
from pace import main

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
"""The least that /step takes for a model's response."""


class NemoGymSession:
    """One cookie."""

    def __init__(self, url: str) -> None:
        self.url = url

    async def open(self) -> None:
        self.http = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))

    async def start(self, task: int) -> None:
        await self._post("reset", {"split": "train", "index": task})

    async def step(self, column: int) -> bool:
        call = {"type": "function_call", "call_id": "call", "name": "drop_piece"}
        output = [{**call, "arguments": json.dumps({"column": column})}]
        played = await self._post("step", {"response": {**RESPONSE, "output": output}})
        return played["terminated"] or played["truncated"]

    async def close(self) -> None:
        """Stop, as a model does that calls nothing: there is no other way to leave an episode."""
        try:
            await self._post("step", {"response": RESPONSE})
        finally:
            await self.http.close()

    async def _post(self, route: str, body: dict) -> dict:
        row = {"responses_create_params": {"input": []}, **body}
        async with self.http.post(f"{self.url}/{route}", json=row) as answer:
            if answer.status != 200:
                raise RuntimeError(f"{route}: {answer.status} {await answer.text()}")
            return await answer.json()


if __name__ == "__main__":
    main(NemoGymSession)
