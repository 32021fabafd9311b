"""Holds many sessions open through a variant's own client, and plays them when it is told to.

    python client.py BUNDLE FRAMEWORK URL TASKS

TASKS are JSON, a list of words to guess by index of the split train. A line on stdin is a list: `open` and
indices, or `play` and a word, "" for the one that solves the task. Each is answered by a line.
"""

import asyncio
import contextlib
import json
import os
import sys
import time
from types import SimpleNamespace
from typing import Any

bundle, FRAMEWORK, URL, tasks = sys.argv[1:]
sys.path.insert(0, bundle)
WORDS = json.loads(tasks)

import rollout  # type: ignore[import-not-found]  # the bundle's


async def enter(stack: contextlib.AsyncExitStack, api: Any, index: int) -> Any:
    """An open session on a task."""
    asked = SimpleNamespace(split="train", index=index, task=None, seed=None, max_turns=None)
    if FRAMEWORK == "openenv":
        client = rollout.GenericEnvClient(base_url=URL, message_timeout_s=60)
        session = rollout.Session(await stack.enter_async_context(client))
        await session.open(asked)
    elif FRAMEWORK == "ors":
        opened = api.session(task=rollout.as_task(api, asked))
        session = rollout.Session(await stack.enter_async_context(opened))
        await session.open()
    else:
        http = rollout.httpx.AsyncClient(base_url=URL, timeout=60, trust_env=False, verify=False)
        session = rollout.Session(await stack.enter_async_context(http))
        await session.open(asked)
    return session


async def attempt(work: Any) -> Any:
    """What came of it: its result, or the error's text."""
    try:
        return await asyncio.wait_for(work, 60)
    except Exception as error:  # noqa: BLE001 - told to the test
        return f"{type(error).__name__}: {error}"


async def play(session: Any, index: int, word: str) -> list[Any]:
    """Guess; the step's reward and whether the episode is over."""
    step = await session.call("guess", {"word": word or WORDS[index]})
    return [step["reward"], step["done"]]


async def serve(stack: contextlib.AsyncExitStack, api: Any) -> None:
    """Do what each line asks for."""
    sessions: dict[int, Any] = {}
    while line := await asyncio.to_thread(sys.stdin.readline):
        verb, *given = json.loads(line)
        start = time.perf_counter()
        if verb == "open":
            found = await asyncio.gather(*(attempt(enter(stack, api, index)) for index in given))
            sessions = dict(zip(given, found, strict=True))
            told = {key: one for key, one in sessions.items() if isinstance(one, str)}
        else:
            work = (attempt(play(one, key, given[0])) for key, one in sessions.items())
            told = dict(zip(sessions, await asyncio.gather(*work), strict=True))
        seconds = time.perf_counter() - start
        print(json.dumps({"seconds": seconds, "told": told}), flush=True)


async def main() -> None:
    """Hold sessions until stdin ends."""
    async with contextlib.AsyncExitStack() as stack:
        api = None
        if FRAMEWORK == "ors":
            client = rollout.AsyncEnvironmentsAPI(base_url=URL, api_key=os.environ.get("TOKEN", ""))
            api = (await stack.enter_async_context(client)).get("wordle", variant="wordle")
        await serve(stack, api)
        sys.stdout.close()


asyncio.run(main())
