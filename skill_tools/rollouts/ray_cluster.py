"""A rollout on a Ray cluster: starting the driver process that communicates with the cluster, and showing
progress."""

from __future__ import annotations

import importlib.util
import json
import os
import pickle
import re
import socket
import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

from skill_tools.errors import InstallError, RolloutError, SkillToolsError
from skill_tools.rollouts.node_batch import NodeWork
from skill_tools.rollouts.rollout import say_duration
from skill_tools.runtime import supervise
from skill_tools.runtime.environment import child_environment

CLIENT_PORT = 10001
"""The default port on which a cluster's head accepts drivers on other machines."""
REACH_SECONDS = 10.0
"""Seconds to connect to an address: longer than any network needs."""
CONNECT_SECONDS = 60.0
"""Seconds for Ray to connect to an existing cluster, which usually takes two; Ray's own default is minutes."""
GRACE = 10.0
"""Seconds that the driver has for stopping the work on the nodes."""
TOKENS = ("RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH")
"""Where Ray looks for a cluster's token, in addition to ~/.ray/auth_token; for the driver only, not
for rollouts."""
LAST_LINES = 12
"""Number of lines to keep of Ray's output before the driver failed: the end of a traceback, or the reason."""
ADDRESS = re.compile(r"ray(://[^/\s]+)?/?")


@dataclass(frozen=True)
class WorkerResult:
    """The numbers of existing, played and failed episodes, and of batches that were handed out again."""

    there: int
    played: int
    failed: int
    again: int


def find_cluster(cluster: str) -> str:
    """Return Ray's address for ``ray`` or ``ray://HOST[:PORT]``; "auto" is this machine's cluster.

    Raises SkillToolsError for any other value or if no cluster listens at the address, and InstallError if Ray is
    missing.
    """
    if not ADDRESS.fullmatch(cluster):
        raise SkillToolsError(
            f"--cluster is {cluster!r}\n    fix: write ray if this machine is part of a Ray "
            "cluster, otherwise ray://HOST:10001"
        )
    if importlib.util.find_spec("ray") is None:
        raise InstallError(
            "--cluster ray needs Ray, which is not installed next to skill-tools\n"
            "    fix: pip install 'rl-env-skills[ray]', here and on every node"
        )
    address = cluster.rstrip("/") if "://" in cluster else os.environ.get("RAY_ADDRESS") or "auto"
    if address == "auto":
        return address
    try:
        place = urlsplit(address if "://" in address else f"ray://{address}")
        host, port = place.hostname or "", place.port or CLIENT_PORT
        socket.create_connection((host, port), REACH_SECONDS).close()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise SkillToolsError(
            f"no Ray cluster answers at {address}: {why}\n"
            "    fix: start it (ray start --head), or name the client port of the cluster's head "
            f"(default: {CLIENT_PORT}); on a machine in the cluster, use --cluster ray"
        ) from error
    return f"ray://{host}:{port}" if "://" in address else address


def play_on_ray(
    address: str, work: NodeWork, output: Path, progress: Callable[[str], None]
) -> WorkerResult:
    """Play, on a cluster, the episodes that are missing from the file ``output``, and add them to the file.

    If the run ends early, raises SkillToolsError with the reason; the file keeps the played episodes.
    """
    from skill_tools.rollouts import ray_driver

    told = _Told(progress)
    with tempfile.TemporaryDirectory(prefix="skill-tools-") as scratch:
        request, log = Path(scratch) / "request", Path(scratch) / "log"
        request.write_bytes(pickle.dumps(ray_driver.RayRequest(address, work, output.resolve())))
        kept = [*work.variables, *TOKENS]
        environment = child_environment({"RAY_USAGE_STATS_ENABLED": "0"}, keep=kept)
        command = [sys.executable, "-m", ray_driver.__name__, str(request)]
        here = Path(ray_driver.__file__).parents[2]
        with supervise.process(
            command, cwd=here, env=environment, log=log, on_line=told.take, grace=GRACE
        ) as driver:
            while driver.running and not told.connected.wait(0.1):
                if perf_counter() - told.since > CONNECT_SECONDS:
                    break
            late = driver.running and not told.connected.is_set()
            ended = driver.terminate() if late else driver.wait()
    if late:
        where = "this machine's cluster" if address == "auto" else address
        raise SkillToolsError(
            f"Ray did not connect to {where} in {CONNECT_SECONDS:g} s\n"
            f"    fix: check that a cluster runs there (ray status), with the same Ray release as this machine"
        )
    if told.error:
        raise RolloutError(told.error)
    if ended.returncode:
        said = [
            line for line in ended.log_tail.splitlines() if not line.startswith(ray_driver.MARK)
        ]
        go_on = f"continue with --resume {output}" if output.stat().st_size else "start again"
        raise RolloutError(
            f"the process that connects to Ray ended with code {ended.returncode}; {told.left} episodes are left\n"
            + "\n".join(said[-LAST_LINES:])
            + f"\n    fix: check whether the cluster's head still runs (ray status), and {go_on}"
        )
    return WorkerResult(told.there, told.total - told.left, told.failed, told.again)


class _Told:
    """The progress that the Ray driver process has reported so far. Each report is passed on to ``progress``."""

    def __init__(self, progress: Callable[[str], None]) -> None:
        self._progress = progress
        self.since = perf_counter()
        self.connected = threading.Event()
        self.there = self.total = self.left = self.failed = self.again = 0
        self.error = ""

    def take(self, line: str) -> None:
        """Read a line of the driver's output, and ignore lines that come from Ray."""
        from skill_tools.rollouts.ray_driver import MARK

        if not line.startswith(MARK):
            return
        said: dict[str, Any] = json.loads(line[len(MARK) :])
        self.error = said.get("error", self.error)
        self.failed = said.get("failed", self.failed)
        self.again = said.get("again", self.again)
        self.left = said.get("left", self.left)
        if "there" in said:
            self.since = perf_counter()
            self.there, self.total = said["there"], said["left"]
            self._progress(
                f"connecting to Ray: {self.total} episodes to play, {self.there} already recorded"
            )
        if "connected" in said:
            self.since = perf_counter()
            self.connected.set()
        if "note" in said:
            self._progress(said["note"])
        if "nodes" in said:
            self._progress(self._done(said))

    def _done(self, said: dict[str, Any]) -> str:
        """Return the progress as one line."""
        played, seconds = self.total - self.left, perf_counter() - self.since
        text = f"{played} of {self.total} episodes, {said['nodes']} nodes, {said['processors']} processors"
        if self.failed:
            text += f", {self.failed} failed"
        if played and self.left:
            text += f", about {say_duration(self.left * seconds / played)} left"
        return text
