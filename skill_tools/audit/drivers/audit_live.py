"""Play episodes call by call, on request of a rendered environment that wraps a foreign environment.

Requests and replies are JSON lines on a socket. The process ends when the other end of the socket is closed.
Runs in the venv of a framework, without skill-tools: standard library only.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any

from audit_bounds import Broken, bounded, read_done, read_reward, text_block

LONGEST_LINE = 64 << 20
"""Maximum bytes of a request."""
MOST_WAITING = 256
"""Threads of a framework that may wait for the next call at the same time, one for each open episode."""
Answer = dict[str, Any]


def live(driver: Any, request: dict[str, Any], refused: type[Exception]) -> None:
    """Answer requests until the socket is closed. If the environment is served, its server runs on the main thread.

    Args:
        driver: The framework's driver.
        request: The request of the parent process.
        refused: The exception for an action that the environment refused.
    """
    if not request["served"]:  # graders time themselves by signals, which only a main thread has
        asyncio.run(_LiveSessions(driver, request, refused).answer())
        return
    import uvicorn

    app = driver.make_app(request)
    listener = socket.create_server(("127.0.0.1", 0), backlog=256)
    request["url"] = f"http://127.0.0.1:{listener.getsockname()[1]}"
    threading.Thread(target=_aside, args=(driver, request, refused), daemon=True).start()
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run([listener])


def _aside(driver: Any, request: dict[str, Any], refused: type[Exception]) -> None:
    try:
        asyncio.run(_LiveSessions(driver, request, refused).answer())
    finally:
        os._exit(0)  # the server on the main thread has nobody to serve


class _LiveSessions:
    """The open episodes, by the number that the parent process gave each episode."""

    def __init__(self, driver: Any, request: dict[str, Any], refused: type[Exception]) -> None:
        self.driver, self.request, self.refused = driver, request, refused
        self.open: dict[int, Any] = {}
        self.seconds: float = request["call_seconds"]
        # An episode may start a process: of many at once, none would be ready in time.
        self.opening = asyncio.Semaphore(os.cpu_count() or 1)

    async def answer(self) -> None:
        """Answer every request in a separate asyncio task."""
        loop = asyncio.get_running_loop()
        loop.set_default_executor(ThreadPoolExecutor(MOST_WAITING))
        connection = socket.socket(fileno=self.request["socket"])
        reader, writer = await asyncio.open_connection(sock=connection, limit=LONGEST_LINE)
        tasks: set[asyncio.Task[None]] = set()
        async with self.driver.reaching(self.request):
            while line := await reader.readline():
                task = asyncio.create_task(self._reply(json.loads(line), writer))
                tasks.add(task)
                task.add_done_callback(tasks.discard)
        shutil.rmtree(self.request["scratch"], ignore_errors=True)
        os._exit(0)  # do not wait for threads that hang

    async def _reply(self, asked: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        do: Callable[[dict[str, Any]], Awaitable[Answer]] = getattr(self, f"_{asked['do']}")
        gate = self.opening if asked["do"] == "open" else nullcontext()
        try:
            async with gate, asyncio.timeout(self.seconds):
                reply = await do(asked)
        except self.refused as wrong:
            reply = {"error": "refused", "observation": [text_block(str(wrong))]}
        except TimeoutError:
            reply = {"failed": f"{asked['do']}: no reply after {self.seconds:g} s"}
        except (Exception, SystemExit) as error:  # noqa: BLE001 - somebody else's code
            kind = error.kind if isinstance(error, Broken) else type(error).__name__
            reply = {"failed": f"{asked['do']}: {kind}: {error}"}
        writer.write(json.dumps({"id": asked["id"], **reply}).encode() + b"\n")
        await writer.drain()

    async def _ready(self, asked: dict[str, Any]) -> Answer:
        return {"ready": True}

    async def _open(self, asked: dict[str, Any]) -> Answer:
        place = asked["script"]
        label = "/".join(map(str, place.values()))
        # An episode with calls; none of them is known yet.
        script = {"policy": "live", "label": label, "calls": [{}], **place}
        opening = getattr(self.driver, "open_live", None) or self.driver.open
        session = self.open[asked["session"]] = await opening(script)
        final = getattr(session, "takes_messages", False)
        tools = bounded(getattr(session, "tools", []))
        return {"prompt": bounded(session.prompt), "tools": tools, "takes_messages": final}

    async def _call(self, asked: dict[str, Any]) -> Answer:
        answered = await self.open[asked["session"]].call(asked["tool"], asked["arguments"])
        return {
            "observation": answered.observation,
            "reward": read_reward(answered.reward) or 0.0,
            "done": read_done(answered.done),
            "error": answered.error,
        }

    async def _end(self, asked: dict[str, Any]) -> Answer:
        return {"reward": read_reward(await self.open[asked["session"]].end("")) or 0.0}

    async def _close(self, asked: dict[str, Any]) -> Answer:
        if session := self.open.pop(asked["session"], None):
            await session.close()
        return {}
