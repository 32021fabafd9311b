"""A deployment's workers and its balancer on loopback, as its engine starts them, without containers."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Self

import httpx
import pytest

from skill_tools.frameworks.rules import load
from skill_tools.rollouts.rollout import variant_venv
from tests.live.frameworks import FRAMEWORKS
from tests.live.served import environment, free_port, wait_until_it_answers

HERE = Path(__file__).parent
HAPROXY = shutil.which("haproxy", path=f"{os.environ['PATH']}{os.pathsep}/usr/sbin")
NEEDS_HAPROXY = pytest.mark.skipif(not HAPROXY, reason="needs HAProxy; see .ci/run")


@contextmanager
def started(command: Sequence[Any], log: Path, **options: Any) -> Iterator[subprocess.Popen[str]]:
    """A process of our own, which ends with the block."""
    with log.open("w") as output:
        process = subprocess.Popen(
            [str(word) for word in command],
            text=True,
            stderr=output,
            **{"stdout": output, **options},
        )
        try:
            yield process
        finally:
            process.kill()
            process.wait(10)


class Names(threading.Thread):
    """Answers every question for an IPv4 address with the workers', as an engine's name server does."""

    def __init__(self, addresses: Sequence[str]) -> None:
        super().__init__(daemon=True)
        self.addresses = addresses
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.place = f"127.0.0.1:{self.socket.getsockname()[1]}"

    def run(self) -> None:
        """Answer until the socket is closed."""
        while True:
            try:
                asked, who = self.socket.recvfrom(4096)
            except OSError:
                return
            end = asked.index(b"\0", 12) + 5
            found = self.addresses if asked[end - 4 : end - 2] == b"\0\1" else ()
            head = asked[:2] + b"\x81\x80\0\1" + len(found).to_bytes(2, "big") + b"\0\0\0\0"
            records = (b"\xc0\x0c\0\1\0\1\0\0\0\1\0\4" + socket.inet_aton(each) for each in found)
            self.socket.sendto(head + asked[12:end] + b"".join(records), who)


class Client:
    """The program client.py, told line by line what to do."""

    def __init__(self, process: subprocess.Popen[str], log: Path) -> None:
        self.process, self.log = process, log

    def ask(self, *words: Any) -> tuple[dict[int, Any], float]:
        """What came of each session, and the seconds that it took."""
        to, of = self.process.stdin, self.process.stdout
        assert to
        assert of
        to.write(json.dumps(words) + "\n")
        to.flush()
        line = of.readline()
        assert line, self.log.read_text()
        answer = json.loads(line)
        return {int(key): what for key, what in answer["told"].items()}, answer["seconds"]


@contextmanager
def holding(
    python: Path,
    bundle: Path,
    framework: str,
    url: str,
    words: Sequence[str],
    scratch: Path,
    token: str = "",
) -> Iterator[Client]:
    """The program client.py, which closes its sessions when the block ends."""
    command = [python, HERE / "client.py", bundle, framework, url, json.dumps(words)]
    log = scratch / f"client{len(list(scratch.glob('client*.log')))}.log"
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    settings = environment(framework) | {"TOKEN": token}
    with started(command, log, env=settings, cwd="/", **pipes) as process:
        yield Client(process, log)
        assert process.stdin
        process.stdin.close()
        process.wait(60)


def until(true: Callable[[], Any], what: str, log: Callable[[], str], seconds: float = 30) -> None:
    """Return once something is true; fails with a log after a time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with suppress(httpx.TransportError):
            if true():
                return
        time.sleep(0.02)
    raise AssertionError(f"not: {what}\n{log()}")


OPTIONS = ("--max-sessions", "256", "--drain-seconds", "900", "--metrics", "--log-episodes")
"""As a deployment starts its workers, whose usual numbers these are."""


class Engine:
    """Two workers at one port of addresses of their own, and HAProxy with the rendered configuration."""

    def __init__(self, folder: Path, framework: str, made: Path, scratch: Path) -> None:
        self.folder, self.framework, self.bundle = folder, framework, made / "_bundle"
        self.configuration, self.scratch = made / "haproxy.cfg", scratch
        self.python = variant_venv(load(folder), folder, FRAMEWORKS[framework]).python
        self.port, self.front, self.watch = free_port(), free_port(), free_port()
        self.url = f"http://127.0.0.1:{self.front}"
        self.addresses = ["127.0.0.2", "127.0.0.3"]
        self.workers: dict[str, subprocess.Popen[str]] = {}
        self.stack = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            names = Names(self.addresses)
            stack.callback(names.socket.close)
            names.start()
            for address in self.addresses:
                self.workers[address] = stack.enter_context(self._worker(address))
            for address, worker in self.workers.items():
                log = self.scratch / f"{address}.log"
                ready = f"http://{address}:{self.port}/ready"
                wait_until_it_answers(ready, lambda it=worker: it.poll() is None, log)  # type: ignore[misc]
            stack.enter_context(self._balancer(names.place))
            self.wait(lambda: self.count() == 2, "HAProxy takes both workers")
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self.stack.close()

    @contextmanager
    def _worker(self, address: str) -> Iterator[subprocess.Popen[str]]:
        app = FRAMEWORKS[self.framework].affinity.app  # type: ignore[union-attr]
        command = [self.python, "-m", app, "--host", address, "--port", self.port, *OPTIONS]
        log = self.scratch / f"{address}.log"
        with started(command, log, cwd=self.bundle, env=environment(self.framework)) as process:
            yield process

    @contextmanager
    def _balancer(self, names: str) -> Iterator[None]:
        assert HAPROXY
        settings = {"BIND": f"127.0.0.1:{self.front}", "WATCH": f"127.0.0.1:{self.watch}"}
        settings |= {"RESOLVER": names, "WORKERS": f"worker:{self.port}"}
        command = [HAPROXY, "-db", "-f", self.configuration]
        log = self.scratch / "haproxy.log"
        with started(command, log, env={**os.environ, **settings}):
            yield

    def count(self) -> int:
        """How many workers the balancer sends new sessions to."""
        states = self.figures("haproxy_server_status")
        return sum(
            value for key, value in states.items() if 'state="UP"' in key and "worker-" in key
        )

    def carried(self) -> int:
        """How many workers were sent something."""
        return sum(value > 0 for value in self.figures("haproxy_server_sessions_total").values())

    def figures(self, name: str) -> dict[str, int]:
        """The balancer's own figures of a name, by labels."""
        text = httpx.get(f"http://127.0.0.1:{self.watch}/metrics", trust_env=False).text
        lines = [line.rpartition(" ") for line in text.splitlines() if line.startswith(name + "{")]
        return {labels: int(float(value)) for labels, _, value in lines}

    def open(self, address: str) -> int:
        """How many sessions a worker says it has."""
        told = httpx.get(f"http://{address}:{self.port}/ready", trust_env=False).json()
        return int(told["sessions"])

    def wait(self, true: Callable[[], Any], what: str, seconds: float = 30) -> None:
        """Return once something is true; fails with the balancer's log after a time."""
        until(true, what, (self.scratch / "haproxy.log").read_text, seconds)

    def client(self, words: Sequence[str]) -> AbstractContextManager[Client]:
        """Sessions of the variant's own client through the balancer."""
        return holding(self.python, self.bundle, self.framework, self.url, words, self.scratch)
