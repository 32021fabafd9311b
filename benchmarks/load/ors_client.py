# ruff: noqa: D102 - documented in pace.Session
"""Sessions through OpenReward's own client; a game is a session there, so each game opens one."""

import os

os.environ.setdefault("OPENREWARD_LOG_LEVEL", "WARNING")
os.environ.setdefault("OPENREWARD_DISABLE_UPDATE_CHECK", "1")

from openreward import AsyncEnvironmentsAPI
from pace import main

NAME = "connect_four"
_shared = {}


class OrsSession:
    """One session after the other."""

    def __init__(self, url: str) -> None:
        if url not in _shared:
            _shared[url] = AsyncEnvironmentsAPI(base_url=url, api_key="")
        self.api = _shared[url]
        self.environment = self.api.get(NAME, variant=NAME)
        self.session = None

    async def open(self) -> None:
        """Nothing: the client connects with its first request."""

    async def start(self, task: int) -> None:
        await self._leave()
        found = await self.environment.get_task("train", task)
        self.session = self.environment.session(task=found)
        await self.session.__aenter__()
        await self.session.get_prompt()

    async def step(self, column: int) -> bool:
        output = await self.session.call_tool("drop_piece", {"column": column})
        return output.finished

    async def close(self) -> None:
        await self._leave()

    async def _leave(self) -> None:
        if self.session is not None:
            session, self.session = self.session, None
            await session.__aexit__(None, None, None)


if __name__ == "__main__":
    main(OrsSession)
