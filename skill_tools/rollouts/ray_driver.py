"""The process that hands a rollout's batches to a Ray cluster. ``ray_cluster.py`` starts this process.

usage: python -m skill_tools.rollouts.ray_driver REQUEST

Only this process uses Ray, which prints a lot and may end the process. The driver's own output consists of
lines of JSON after ``MARK``. Ray schedules and tracks live nodes. The driver limits the number of batches in
flight, hands out lost batches again, and writes each episode once.
"""

from __future__ import annotations

import json
import logging
import os
import pickle
import sys
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skill_tools.errors import RolloutError, SkillToolsError
from skill_tools.rollouts.kept_episodes import KeptEpisodes
from skill_tools.rollouts.node_batch import (
    NodeBatch,
    NodeWork,
    batch_size,
    plan_batches,
    play_batch,
)

MARK = "@skill-tools "
"""The prefix of the driver's own lines, which no line from Ray has."""
IN_FLIGHT = 2
"""Maximum batches per processor that are submitted to Ray: one runs and one waits."""
LOST = 5
"""How often a batch whose node or worker died is retried; after that, the batch itself must be the
cause."""
BROKEN = 3
"""How often a batch may fail without a node's death. After that, the whole rollout ends, because other batches would
also fail.
"""
LOOK_SECONDS = 2.0
"""Interval in seconds for counting nodes and reporting progress."""
NODE_SECONDS = 300.0
"""Seconds that a cluster may have no processor, unless SKILL_TOOLS_NODE_SECONDS is set: a cloud takes minutes to
start a node.
"""


@dataclass(frozen=True)
class RayRequest:
    """The instructions for the Ray driver process.

    Attributes:
        address: An address in Ray's own format, or "auto" for this machine's cluster.
    """

    address: str
    work: NodeWork
    output: Path


@dataclass(frozen=True)
class BatchEnd:
    """The end of a batch: its output lines, or a rollout error; ``lost`` is true if the batch's node was lost."""

    batch: NodeBatch
    lines: Sequence[str] = ()
    error: str = ""
    lost: bool = False


class RayNodes:
    """The nodes of a Ray cluster, which play batches of episodes."""

    def __init__(self, address: str, work: NodeWork) -> None:
        """Connect to the cluster. Raises Ray's errors if there is no cluster, or if its version is different."""
        import ray

        self._ray = ray
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        # SPREAD: otherwise Ray fills one node before the next. Ray does not retry:
        # we do, and count.
        options = {"num_cpus": 1, "max_retries": 0, "scheduling_strategy": "SPREAD"}
        self._play = ray.remote(**options)(play_batch)
        self._work = ray.put(work)
        self._environment = {
            name: os.environ[name] for name in work.variables if name in os.environ
        }
        self._flying: dict[Any, NodeBatch] = {}

    @property
    def processors(self) -> int:
        """The current number of processors on all nodes."""
        return int(self._ray.cluster_resources().get("CPU", 0))

    @property
    def nodes(self) -> int:
        """Number of live nodes."""
        return sum(bool(node["Alive"]) for node in self._ray.nodes())

    @property
    def in_flight(self) -> int:
        """Number of batches that were handed out and have not ended."""
        return len(self._flying)

    def start(self, batch: NodeBatch) -> None:
        """Hand out a batch of episodes to a node."""
        self._flying[self._play.remote(self._work, batch, self._environment)] = batch

    def ended(self, seconds: float) -> Iterator[BatchEnd]:
        """Wait up to ``seconds`` for a batch to end, and then yield all batches that have ended."""
        ready, _ = self._ray.wait([*self._flying], num_returns=1, timeout=seconds)
        more, _ = self._ray.wait([*self._flying], num_returns=len(self._flying), timeout=0)
        for each in dict.fromkeys([*ready, *more]):
            yield self._outcome(each, self._flying.pop(each))

    def _outcome(self, reference: Any, batch: NodeBatch) -> BatchEnd:
        errors = self._ray.exceptions
        try:
            return BatchEnd(batch, self._ray.get(reference))
        except errors.RayTaskError as error:
            cause = error.cause if isinstance(error.cause, SkillToolsError) else error
            return BatchEnd(batch, error=_plain(cause))
        except errors.RayError as error:  # its node, its worker or its result is gone
            return BatchEnd(batch, error=_plain(error), lost=True)

    def stop(self) -> None:
        """Stop all batches and leave the cluster."""
        for reference in self._flying:
            self._ray.cancel(reference, force=True)
        self._ray.shutdown()


@dataclass
class Handing:
    """The loop that hands batches of episodes to nodes until every episode is stored."""

    nodes: RayNodes
    kept: KeptEpisodes
    node_seconds: float

    def __post_init__(self) -> None:
        self._lost: Counter[int] = Counter()
        self._broken: Counter[int] = Counter()
        self._again = 0
        self._with_processors = time.monotonic()

    def hand_out(self, batches: Sequence[NodeBatch]) -> None:
        """Play all batches.

        Raises SkillToolsError if a batch fails repeatedly, the cluster has no processors for too long, or a file
        cannot be written.
        """
        waiting, told = deque(batches), time.monotonic()
        self._tell()
        while waiting or self.nodes.in_flight:
            processors = self._processors()
            while waiting and self.nodes.in_flight < IN_FLIGHT * max(processors, 1):
                self.nodes.start(waiting.popleft())
            for ended in self.nodes.ended(LOOK_SECONDS):
                if ended.error:
                    waiting.appendleft(self._once_more(ended))
                else:
                    self.kept.add(ended.lines)
            if time.monotonic() - told > LOOK_SECONDS:
                self._tell()
                told = time.monotonic()
        self._tell()

    def _once_more(self, ended: BatchEnd) -> NodeBatch:
        """Return a failed batch, to be played again. Raise RolloutError if the batch has no retries left."""
        counts, most = (self._lost, LOST) if ended.lost else (self._broken, BROKEN)
        counts[id(ended.batch)] += 1
        where = f"tasks {ended.batch.first} to {ended.batch.last} of {ended.batch.model}"
        if counts[id(ended.batch)] >= most:
            said = f"{where} failed {most} times, the last time with: {ended.error}"
            raise RolloutError(said if "fix: " in said else f"{said}\n    fix: {self._fix(ended)}")
        self._again += 1
        _say(note=f"{where} will be replayed: {ended.error.splitlines()[0].split('. ')[0]}")
        return ended.batch

    def _fix(self, ended: BatchEnd) -> str:
        if ended.lost:
            what = (
                "find out why nodes die (check their memory and ray status), or lower --concurrency"
            )
        elif "ModuleNotFoundError" in ended.error or "ImportError" in ended.error:
            what = (
                "install 'rl-env-skills[ray]' on every node, in the same version as on this machine"
            )
        else:
            what = "fix this"
        return f"{what}, and {self.kept.go_on}"

    def _processors(self) -> int:
        """Return the number of processors. Raise RolloutError if the cluster had no processors for too long."""
        found, now = self.nodes.processors, time.monotonic()
        if found:
            self._with_processors = now
        elif now - self._with_processors > self.node_seconds:
            raise RolloutError(
                f"no node with a processor joined the cluster in {self.node_seconds:g} s; it has "
                f"{self.nodes.nodes} nodes without a processor\n"
                "    fix: start one (ray start --address=HEAD:6379), or wait longer with "
                "SKILL_TOOLS_NODE_SECONDS"
            )
        return found

    def _tell(self) -> None:
        _say(
            left=self.kept.left,
            failed=self.kept.failed,
            nodes=self.nodes.nodes,
            processors=self.nodes.processors,
            again=self._again,
        )


def drive(request: RayRequest) -> None:
    """Play the episodes that the file lacks. Raises SkillToolsError if the cluster or the rollout fails."""
    with KeptEpisodes(request.output, request.work) as kept:
        _say(there=len(kept.there), left=kept.left)
        if not kept.left:
            return
        try:
            nodes = RayNodes(request.address, request.work)
        except (ConnectionError, RuntimeError, ValueError, OSError) as error:
            raise SkillToolsError(_unconnected(request.address, _plain(error))) from error
        _say(connected=True)
        try:
            at_once = request.work.options.concurrency or 1
            size = batch_size(kept.left, nodes.processors, at_once)
            seconds = float(os.environ.get("SKILL_TOOLS_NODE_SECONDS", NODE_SECONDS))
            batches = plan_batches(request.work, kept.there, size)
            Handing(nodes, kept, seconds).hand_out(batches)
        finally:
            nodes.stop()


def _unconnected(address: str, why: str) -> str:
    where = (
        "this machine does not belong to a running Ray cluster"
        if address == "auto"
        else f"no Ray cluster answers at {address}"
    )
    return (
        f"{where}: {why.splitlines()[0]}\n"
        "    fix: start one with `ray start --head --node-ip-address=127.0.0.1`, or name another: "
        "--cluster ray on one of its machines, or --cluster ray://HOST:10001 from elsewhere; if "
        "the cluster requires a token (ray start creates one), set RAY_AUTH_MODE=token and "
        "RAY_AUTH_TOKEN"
    )


def _plain(error: BaseException) -> str:
    """Return an error's message, without Ray's colors and traces."""
    lines = [line for line in str(error).strip().splitlines() if line.strip()]
    if isinstance(error, SkillToolsError):
        return "\n".join(lines)
    return lines[-1].strip() if lines and lines[0].startswith("\x1b") else "\n".join(lines)[-2000:]


def _say(**what: Any) -> None:
    print(MARK + json.dumps(what), flush=True)


def main(request: Path) -> int:
    """Process a request file. Return the exit code."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    try:
        drive(pickle.loads(request.read_bytes()))
    except SkillToolsError as error:
        _say(error=str(error))
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
