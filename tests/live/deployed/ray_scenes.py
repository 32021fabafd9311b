"""Scenes of a deployment on a real Ray of two nodes; run by test_ray_served.py in Ray's venv and a network of its own.

usage: python -m tests.live.deployed.ray_scenes SCENE MADE FRAMEWORK PYTHON WORDS ROOM

Each scene prints what was seen as one JSON object in its last line. MADE is a deployment of Wordle, PYTHON that of
its variant, WORDS the oracle's of the first tasks.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import psutil
from ray.cluster_utils import Cluster

from .engine import Client, holding, started, until

PLACE = re.compile(r"^(address|watch) (http://\S+)$", re.MULTILINE)
COUNT, MORE = 128, 8
"""Sessions at once, of two workers; and new ones."""
SOON = 20.0
"""Seconds in which what is killed is gone: Ray has to notice it."""
TOKEN = "token-of-nobody-51c2"
Seen = dict[str, Any]


@dataclass(frozen=True)
class Stage:
    """A deployment, and what plays it."""

    made: Path
    framework: str
    python: Path
    words: list[str]
    room: Path

    @contextmanager
    def cluster(self, *nodes: int) -> Iterator[tuple[Cluster, list[Any]]]:
        """A head without processors, and nodes with so many each."""
        head = {"num_cpus": 0, "include_dashboard": False}
        found = Cluster(initialize_head=True, head_node_args=head)
        try:
            yield found, [found.add_node(num_cpus=each) for each in nodes]
        finally:
            found.shutdown()

    @contextmanager
    def program(self, address: str, **more: str) -> Iterator[Program]:
        """The rendered program, told to join a cluster."""
        log = self.room / f"program{len(list(self.room.glob('program*.log')))}.log"
        command = [sys.executable, self.made / "serve_on_ray.py", "--address", address]
        settings = {**os.environ, "PYTHON": str(self.python), "NODE_SECONDS": "60", **more}
        with started(command, log, env=settings, cwd="/") as process:
            yield Program(process, log, self)


@dataclass(frozen=True)
class Program:
    """The rendered program, as it runs."""

    process: subprocess.Popen[str]
    log: Path
    stage: Stage

    def said(self) -> str:
        """What it told so far."""
        return self.log.read_text()

    def until(self, true: Callable[[], Any], what: str, seconds: float = SOON) -> None:
        """Return once something is true; fails with what it told."""
        until(true, what, self.said, seconds)

    def url(self, which: str = "address") -> str:
        """Its address, once it serves."""
        self.until(
            lambda: "\naddress" in self.said() or self.process.poll() is not None, "serves", 90
        )
        return dict(PLACE.findall(self.said()))[which]

    def workers(self) -> list[psutil.Process]:
        """The servers."""
        return running("--announce")

    def client(self, token: str = "") -> AbstractContextManager[Client]:
        """Sessions through the balancer."""
        stage, bundle = self.stage, self.stage.made / "_bundle"
        of = (stage.python, bundle, stage.framework)
        return holding(*of, self.url(), stage.words, stage.room, token)

    def up(self) -> int:
        """How many workers the balancer sends new sessions to."""
        text = httpx.get(f"{self.url('watch')}metrics", trust_env=False).text
        return len(
            re.findall(r'^haproxy_server_status\{.*worker-.*state="UP"\} 1$', text, re.MULTILINE)
        )


def running(word: str) -> list[psutil.Process]:
    """Processes of whose command line this is a word or ends one."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.status() != "zombie" and any(w.endswith(word) for w in process.cmdline()):
                found.append(process)
        except psutil.Error:
            continue
    return found


def left() -> list[list[str]]:
    """What still runs of a deployment."""
    return [
        each.cmdline()
        for word in ("--announce", "haproxy", "serve_on_ray.py")
        for each in running(word)
    ]


def sessions(worker: psutil.Process) -> int:
    """How many a worker says it has."""
    (place,) = [c.laddr for c in worker.net_connections() if c.status == "LISTEN"]
    return int(
        httpx.get(f"http://{place.ip}:{place.port}/ready", trust_env=False).json()["sessions"]
    )


def served(stage: Stage) -> Seen:
    """All sessions are opened and won, but for those of a worker that is killed; then it drains."""
    with stage.cluster(1, 1) as (found, _), stage.program(found.address) as program:
        with program.client() as client, program.client() as other:
            seen: Seen = {"opened": client.ask("open", *range(COUNT))[0]}
            workers = program.workers()
            seen["nodes"] = len({each.parent().ppid() for each in workers})
            seen["hosts"] = sorted(
                c.laddr.ip for w in workers for c in w.net_connections() if c.status == "LISTEN"
            )
            guess = next(word for word in ("crane", "slate", "audio") if word not in stage.words)
            seen["guessed"] = sorted({str(each) for each in client.ask("play", guess)[0].values()})
            seen["had"] = [sessions(each) for each in workers]
            other.ask("open", 0)  # starting a client is no part of being served
            killed = time.monotonic()
            workers[0].kill()
            seen["new"], seen["seconds"] = other.ask("open", *range(COUNT, COUNT + MORE))
            seen["new_won"] = list(other.ask("play", "")[0].values())
            seen["came"] = list(client.ask("play", "")[0].values())
            program.until(lambda: "serves at" in program.said(), "serves again")
            program.until(lambda: program.up() == 2, "both take sessions")
            seen["back_after"] = time.monotonic() - killed
        with program.client() as client:
            seen["again"] = client.ask("open", *range(COUNT))[0]
            seen["had_again"] = [sessions(each) for each in program.workers()]
            program.process.send_signal(signal.SIGTERM)
            program.until(lambda: "draining" in program.said(), "drains")
            program.until(lambda: program.up() == 0, "the balancer knows")
            late = time.monotonic() + 4  # workers without sessions would be gone
            program.until(lambda: time.monotonic() > late, "some seconds have passed")
            seen["running"] = len(program.workers())
            seen["won"] = list(client.ask("play", "")[0].values())
        seen["code"] = program.process.wait(30)
        seen["said"] = program.said()
        program.until(lambda: not left(), "nothing is left")
        seen["address_file"] = [str(path) for path in stage.made.glob("run-*/address")]
    return seen


def killed(stage: Stage) -> Seen:
    """The program is killed, and then told twice to end, while sessions are open; with a token."""
    seen: Seen = {}
    with stage.cluster(2) as (found, _):
        for number in (signal.SIGKILL, signal.SIGTERM):
            with stage.program(found.address, WORDLE_TOKEN=TOKEN) as program:
                url = program.url()
                with program.client(TOKEN) as client:
                    seen["opened"] = client.ask("open", *range(COUNT))[0]
                    seen["without"] = httpx.get(
                        f"{url}/list_environments", trust_env=False
                    ).status_code
                    seen["told"] = [each.cmdline() for each in running(TOKEN)]
                    seen["ran"] = len(left())
                    program.process.send_signal(number)
                    if number == signal.SIGTERM:
                        program.until(lambda: "draining" in program.said(), "drains")
                        program.process.send_signal(number)
                    start = time.monotonic()
                    seen[f"code {number}"] = program.process.wait(30)
                    program.until(lambda: not left(), "nothing is left")
                    seen[f"gone after {number}"] = time.monotonic() - start
                    client.process.kill()  # it would ask for a minute whether its server is back
        session = Path(found.head_node.get_session_dir_path())
        logs = [*session.rglob("*"), *stage.room.rglob("*.log")]
        texts = {path: path.read_bytes() for path in logs if path.is_file()}
    seen["logs"] = len(texts)
    seen["in_logs"] = [str(path) for path, text in texts.items() if TOKEN.encode() in text]
    return seen


def node_dies(stage: Stage) -> Seen:
    """A node is killed: the other's worker goes on, and the one that is lost comes to a node that comes."""
    with stage.cluster(1, 1) as (found, (first, _)), stage.program(found.address) as program:
        with program.client() as client, program.client() as other:
            seen: Seen = {"opened": client.ask("open", *range(COUNT))[0]}
            raylet = first.all_processes["raylet"][0].process.pid
            under = {p.pid for p in psutil.Process(raylet).children(recursive=True)}
            (lost,) = [each for each in program.workers() if each.pid in under]
            seen["had"] = [sessions(each) for each in program.workers() if each != lost]
            os.kill(raylet, signal.SIGKILL)
            program.until(lambda: lost not in program.workers(), "its worker ends")
            seen["came"] = list(client.ask("play", "")[0].values())
            seen["new"] = other.ask("open", *range(MORE))[0]
            program.until(lambda: "was lost with" in program.said(), "says so", 60)
            found.add_node(num_cpus=1)
            program.until(lambda: "serves at" in program.said(), "serves again", 60)
            program.until(lambda: program.up() == 2, "both take sessions")
            program.process.send_signal(signal.SIGTERM)
            seen["won"] = list(other.ask("play", "")[0].values())
        seen["code"] = program.process.wait(30)
        seen["said"] = program.said()
        program.until(lambda: not left(), "nothing is left")
    return seen


def lacking(stage: Stage) -> Seen:
    """What the program says where something is not there."""
    seen: Seen = {}
    broken, alone = stage.room / "broken", stage.room / "alone"
    shutil.copytree(stage.made, broken)
    (broken / "_bundle" / "server.py").write_text("raise SystemExit('this world is broken')\n")
    alone.mkdir()
    shutil.copy(stage.made / "serve_on_ray.py", alone)
    old = stage.room / "haproxy"
    old.write_text("#!/bin/sh\necho HAProxy version 2.4.9-1\n")
    old.chmod(0o755)

    def said(name: str, address: str, made: Path = stage.made, **more: str) -> None:
        start = time.monotonic()
        with replace(stage, made=made).program(address, **more) as program:
            code = program.process.wait(60)
            seen[name] = {"code": code, "said": program.said(), "seconds": time.monotonic() - start}
            program.until(lambda: not left(), "nothing is left")

    said("none", "auto")
    said("wrong", "127.0.0.1:1")
    said("odd", "here")
    said("client", "ray://127.0.0.1:1")
    said("python", "auto", PYTHON="/nowhere/python")
    said("bundle", "auto", alone)
    said("old", "auto", PATH=f"{stage.room}:{os.environ['PATH']}")
    with stage.cluster() as (found, _):
        said("idle", found.address, NODE_SECONDS="3")
    with stage.cluster(2) as (found, _), socket.create_server(("127.0.0.1", 0)) as taken:
        said("broken", found.address, broken)
        said("taken", found.address, PORT=str(taken.getsockname()[1]))
    without = [stage.python, stage.made / "serve_on_ray.py"]
    run = subprocess.run(without, capture_output=True, text=True, check=False)
    seen["ray"] = {"code": run.returncode, "said": run.stderr, "seconds": 0}
    return seen


def main() -> None:
    """Play a scene."""
    scene, made, framework, python, words, room = sys.argv[1:]
    stage = Stage(Path(made), framework, Path(python), json.loads(words), Path(room))
    print(json.dumps(globals()[scene](stage)))


if __name__ == "__main__":
    main()
