"""Workers of a variant behind the balancer that `skill-tools deploy` writes, on loopback and without an engine."""

from __future__ import annotations

import os
import shutil
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
from comparison import START_SECONDS, Server, Variant, free_port, served

from skill_tools.frameworks import FRAMEWORKS
from skill_tools.pipeline.deployments import Scale, deploy
from skill_tools.runtime import supervise

SESSIONS = 4096
"""That a worker takes at once: the most that a deployment may say."""


@dataclass(frozen=True)
class Fleet(Server):
    """Some workers, and the balancer whose address they have together; its processor time counts, too."""

    workers: Sequence[Server]
    watch: int

    def _all(self) -> list[psutil.Process]:
        return [self.process, *(one for worker in self.workers for one in worker._all())]

    def figures(self) -> str:
        """The balancer's own, as Prometheus reads them."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.watch}/metrics", timeout=5) as answer:
            return str(answer.read().decode())

    def up(self) -> int:
        """How many workers the balancer sends new sessions to."""
        lines = [line for line in self.figures().splitlines() if 'state="UP"' in line]
        mine = [line for line in lines if line.startswith("haproxy_server_status{")]
        return sum(float(line.rpartition(" ")[2]) == 1 for line in mine)


@contextmanager
def fleet(variant: Variant, count: int) -> Iterator[Fleet]:
    """Serve a variant by `count` workers behind HAProxy until the `with` block ends, or raise RuntimeError."""
    made = deployment(variant, count)
    log = made.parent / "logs" / made.name
    with ExitStack() as stack:
        workers = [
            stack.enter_context(worker(variant, made, log / f"worker-{number}"))
            for number in range(1, count + 1)
        ]
        places = {
            f"WORKER_{n}": one.url.removeprefix("http://") for n, one in enumerate(workers, 1)
        }
        front, watch = free_port(), free_port()
        bound = {"BIND": f"127.0.0.1:{front}", "WATCH": f"127.0.0.1:{watch}"}
        command = [haproxy(), "-db", "-f", made / "haproxy.cfg"]
        environment = {**os.environ, **places, **bound}
        known = set(psutil.pids())
        stack.enter_context(
            supervise.process(command, cwd=made, env=environment, log=log / "haproxy")
        )
        balancer = _new("haproxy", known)
        found = Fleet(f"http://127.0.0.1:{front}", balancer, workers, watch)
        wait_for(found, count)
        yield found


def deployment(variant: Variant, count: int) -> Path:
    """The folder of a deployment with so many workers, whose places its balancer reads from variables."""
    made = variant.folder.parent / f"{variant.framework}_{count}"
    scale = Scale(workers=count, sessions=SESSIONS)
    deploy(variant.folder, variant.framework, "slurm", made, scale=scale)
    return made


def worker(
    variant: Variant, made: Path, log: Path, port: int | None = None
) -> AbstractContextManager[Server]:
    """One worker, as an engine starts it, until the block is left."""
    affinity = FRAMEWORKS[variant.framework].affinity
    assert affinity
    program = ["-m", affinity.app, "--max-sessions", str(SESSIONS), "--metrics"]
    return served(variant, program, made / "_bundle", log, port)


def wait_for(found: Fleet, count: int) -> None:
    """Return once the balancer sends new sessions to `count` workers. Raises RuntimeError if it never does."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        with suppress(OSError):
            if found.up() == count:
                return
        time.sleep(0.02)
    raise RuntimeError(f"HAProxy takes {found.up()} of {count} workers")


def haproxy() -> str:
    """The program; raises RuntimeError where there is none."""
    found = shutil.which("haproxy", path=f"{os.environ['PATH']}{os.pathsep}/usr/sbin")
    if not found:
        raise RuntimeError("HAProxy is not here: apt install haproxy")
    return found


def _new(name: str, known: set[int]) -> psutil.Process:
    """The process of a name that was not there before."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        for process in psutil.process_iter(["name"]):
            if process.info["name"] == name and process.pid not in known:
                return process
        time.sleep(0.02)
    raise RuntimeError(f"no {name} was started")
