# ruff: noqa: D102 - documented in pace.Session
"""Sessions through OpenEnv's GenericEnvClient, one WebSocket each."""

from openenv.core import GenericEnvClient
from pace import main


class OpenEnvSession:
    """One WebSocket."""

    def __init__(self, url: str) -> None:
        self.client = GenericEnvClient(base_url=url)

    async def open(self) -> None:
        await self.client.connect()

    async def start(self, task: int) -> None:
        await self.client.reset(split="train", index=task)

    async def step(self, column: int) -> bool:
        action = {
            "type": "call_tool",
            "tool_name": "drop_piece",
            "arguments": {"column": column},
        }
        result = await self.client.step(action)
        if result.observation.get("error"):
            raise RuntimeError(result.observation["error"])
        return result.done

    async def close(self) -> None:
        await self.client.close()


if __name__ == "__main__":
    main(OpenEnvSession)
