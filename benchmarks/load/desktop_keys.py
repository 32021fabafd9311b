"""Presses keys in a text editor on an OpenEnv server's desktop, through OpenEnv's own client.

python desktop_keys.py URL KEYS     says "opened" and "played" around the keys
"""

from __future__ import annotations

import asyncio
import sys
import time

from openenv.core import GenericEnvClient

QUIET = 1.5
"""Seconds in which the server's processor time is read, and what it makes ready is made."""


async def main() -> None:
    """Play one episode."""
    async with GenericEnvClient(base_url=sys.argv[1], message_timeout_s=60) as client:
        await client.reset(split="train", index=0)
        await asyncio.sleep(QUIET)
        print("opened", flush=True)
        await asyncio.sleep(QUIET)
        began = time.perf_counter()
        for number in range(int(sys.argv[2])):
            arguments = {"text": "abcdefghij"[number % 10]}
            action = {"type": "call_tool", "tool_name": "key", "arguments": arguments}
            result = await client.step(action)
            if (
                result.observation.get("error")
                or "image" not in str(result.observation["result"])[:200]
            ):
                raise RuntimeError(str(result.observation)[:300])
        seconds = time.perf_counter() - began
        await asyncio.sleep(0.3)
        print("played", seconds, flush=True)
        await asyncio.sleep(QUIET)


if __name__ == "__main__":
    asyncio.run(main())
