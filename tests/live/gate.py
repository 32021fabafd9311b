"""An environment whose calls wait until a test lets them go, and sessions of its servers."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import websockets

from skill_tools.frameworks.rules import load
from skill_tools.rollouts.rollout import variant_venv
from tests.live.frameworks import FRAMEWORKS

from .served import SERVERS, environment, free_port, wait_until_it_answers

COUNT = 64
FOLDER = "WAITING_FOLDER"
SPEC = f"""\
name: waiting
title: Waiting
description: Calls wait for files.
archetype: stateful-sandbox
domain: world:Waiting
tasks: tasks:TASKS
oracle: oracle:solve
prompt:
  user: "{{observation}}"
tools:
  wait:
    description: Wait for a file.
    parameters:
      gate: {{type: string, description: Its name.}}
  meet:
    description: Wait until so many worlds wait here.
    parameters:
      count: {{type: integer, description: How many.}}
  move:
    description: Take one of three steps.
episode: {{max_turns: {COUNT}}}
frameworks: [{", ".join(FRAMEWORKS)}]
"""
WORLD = f'''\
import os
import time
from pathlib import Path


class InvalidAction(Exception):
    """Not allowed by the rules."""


def folder():
    return Path(os.environ["{FOLDER}"])


def note(event, name):
    line = os.open(folder() / "log", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(line, f"{{event}} {{name}}\\n".encode())
    os.close(line)


def wait_for(found, seconds=100):
    deadline = time.monotonic() + seconds
    while not found() and time.monotonic() < deadline:
        time.sleep(0.05)
    return found()


class Waiting:
    def __init__(self, task, seed):
        self.name = task["id"]
        self.steps = 0
        self.reward = 0.0
        self.done = False
        self.open = True
        note("opening", self.name)
        if "gate" in task:
            wait_for(lambda: (folder() / task["gate"]).exists())
        note("opened", self.name)

    def observe(self):
        return "Take three steps."

    def wait(self, gate):
        note("called", self.name)
        wait_for(lambda: (folder() / gate).exists() or not self.open)
        note("returned", self.name)
        return "waited"

    def meet(self, count):
        note("called", self.name)
        there = wait_for(lambda: (folder() / "log").read_text().count("called ") >= count, 60)
        return "met" if there else "alone"

    def move(self):
        self.steps += 1
        self.done = self.steps == 3
        self.reward = float(self.done)
        return f"{{self.steps}} of 3"

    def close(self):
        if self.open:
            note("closed", self.name)
        self.open = False
'''
TASKS = f'TASKS = {{"train": [{{"id": f"train-{{i}}", "seed": i}} for i in range({COUNT})]}}\n'
ORACLE = 'def solve(task, seed):\n    return [("move", {})] * 3\n'


def write_waiting(folder: Path) -> Path:
    """The author's files of the environment."""
    folder.mkdir(parents=True)
    files = {"env.yaml": SPEC, "world.py": WORLD, "tasks.py": TASKS, "oracle.py": ORACLE}
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    return folder


class Events:
    """What the worlds of a server noted, in order, and the gates they wait at."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder = folder

    def all(self) -> list[tuple[str, str]]:
        """Every event so far: opening, opened, called, returned or closed, and the world's name."""
        log = self.folder / "log"
        return (
            [tuple(line.split()) for line in log.read_text().splitlines()] if log.exists() else []
        )

    def of(self, name: str) -> list[str]:
        """What happened in one world."""
        return [event for event, of in self.all() if of == name]

    def count(self, event: str) -> int:
        return Counter(kind for kind, _ in self.all())[event]

    def forget(self) -> None:
        """Begin again: nothing has happened, and every gate is closed."""
        for path in self.folder.iterdir():
            if path.name != "server.log":
                path.unlink()

    def let_go(self, gate: str = "gate") -> None:
        """Open a gate."""
        (self.folder / gate).touch()

    async def until(self, found: Callable[[], bool], seconds: float = 60) -> None:
        deadline = time.monotonic() + seconds
        while not found():
            assert time.monotonic() < deadline, self.all()
            await asyncio.sleep(0.05)


class OpenEnv:
    """A session over a WebSocket; whoever vanishes closes it."""

    def __init__(self, url: str) -> None:
        self.address = url.replace("http", "ws") + "/ws"

    async def open(self, task: dict[str, Any]) -> None:
        self.socket = await websockets.connect(self.address, proxy=None, ping_interval=None)
        await self._ask("reset", {"task": task})

    async def call(self, tool: str, **arguments: Any) -> bool:
        action = {"type": "call_tool", "tool_name": tool, "arguments": arguments}
        return (await self._ask("step", action))["done"]

    async def _ask(self, kind: str, data: dict[str, Any]) -> dict[str, Any]:
        await self.socket.send(json.dumps({"type": kind, "data": data}))
        answer = json.loads(await self.socket.recv())
        assert answer["type"] == "observation", answer
        return answer["data"]

    async def leave(self) -> None:
        await self.socket.close()

    async def vanish(self) -> None:
        """Break the connection, without the protocol's farewell."""
        self.socket.transport.abort()


class Http:
    """What sessions of the other two servers share: requests that a test can break off."""

    def __init__(self, url: str) -> None:
        self.client = httpx.AsyncClient(base_url=url, timeout=120, trust_env=False)

    async def _post(self, path: str, data: Any, **options: Any) -> httpx.Response:
        answer = await self.client.post(path, json=data, **options)
        assert answer.is_success, answer.text
        return answer

    async def vanish(self) -> None:
        await self.client.aclose()


class Ors(Http):
    """A session with an id. A client that is gone is noticed after 900 s: this one says goodbye."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.client.headers["X-Session-ID"] = uuid.uuid4().hex

    async def open(self, task: dict[str, Any]) -> None:
        await self._post("/create", {"env_name": "waiting", "task_spec": {"task": task}})
        answer = await self.client.get("/waiting/prompt")
        assert answer.is_success, answer.text

    async def call(self, tool: str, **arguments: Any) -> bool:
        answer = await self._post("/waiting/call", {"name": tool, "input": arguments})
        ends = answer.text.replace("\r", "").split("event: end\ndata: ")
        assert len(ends) == 2, answer.text
        return json.loads(ends[1])["output"]["finished"]

    async def leave(self) -> None:
        await self._post("/delete", {})
        await self.client.aclose()

    async def vanish(self) -> None:
        await self.leave()


class NemoGym(Http):
    """A session in a cookie."""

    async def open(self, task: dict[str, Any]) -> None:
        await self._post("/reset", {"task": task, "responses_create_params": {"input": []}})

    async def call(self, tool: str, **arguments: Any) -> bool:
        asked = {"type": "function_call", "call_id": "call", "name": tool}
        played = await self._step({**asked, "arguments": json.dumps(arguments)})
        return played["terminated"] or played["truncated"]

    async def _step(self, *output: dict[str, Any]) -> Any:
        response = {
            "id": "response",
            "created_at": 0,
            "model": "model",
            "object": "response",
            "output": list(output),
            "parallel_tool_calls": False,
            "tool_choice": "auto",
            "tools": [],
        }
        row = {"responses_create_params": {"input": []}, "response": response}
        return (await self._post("/step", row)).json()

    async def leave(self) -> None:
        await self._step()
        await self.client.aclose()


SESSIONS = {"openenv": OpenEnv, "ors": Ors, "nemo_gym": NemoGym}


class Server:
    """A variant's server as a user starts it."""

    def __init__(self, process: subprocess.Popen[bytes], framework: str, url: str, log: Path):
        self.process, self.url, self.log = process, url, log
        self._session = SESSIONS[framework]

    def session(self) -> Any:
        """A session that is not open yet."""
        return self._session(self.url)

    async def ended(self) -> str:
        """Wait until the process has ended; returns what it had printed."""
        deadline = time.monotonic() + 90
        while self.process.poll() is None:
            assert time.monotonic() < deadline, "the server does not end"
            await asyncio.sleep(0.05)
        return self.log.read_text()


@contextmanager
def serving(folder: Path, framework: str, events: Events) -> Iterator[Server]:
    """Serve a variant whose worlds note what happens in them."""
    venv = variant_venv(load(folder), folder, FRAMEWORKS[framework])
    port, log = free_port(), events.folder / "server.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [str(venv.python), *SERVERS[framework], "--port", str(port)],
            cwd=folder / framework,
            env={**environment(framework), FOLDER: str(events.folder)},
            stdout=output,
            stderr=output,
        )
    server = Server(process, framework, f"http://127.0.0.1:{port}", log)
    try:
        wait_until_it_answers(server.url, lambda: process.poll() is None, log)
        yield server
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
