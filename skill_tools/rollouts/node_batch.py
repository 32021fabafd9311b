"""The work of one node in a cluster: running the variant's own rollout.py for a batch of episodes.

A node has the same version of skill-tools as its driver, and sees the environment's folder at the same path.
The node makes the variant's venv if it does not exist. The node's processes end when the process that
requested them ends.
"""

from __future__ import annotations

import json
import socket
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from skill_tools import backends
from skill_tools.errors import RolloutError
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.rollouts.options import RolloutOptions
from skill_tools.rollouts.rollout import (
    ASKING,
    MODEL_KEYS,
    RolloutProcess,
    roll_out,
    variant_venv,
)
from skill_tools.rollouts.single import Scripts, serve_scripts
from skill_tools.spec.model import EnvSpec

BATCH = 256
"""Maximum episodes per batch: large compared with the seconds of a process start, but small because a batch is
repeated if its node dies.
"""
WAVES = 4
"""Minimum batches per processor, if there are enough episodes, so that no node waits long for the last batch."""
HEAVY = ("prompt", "tools", "steps", "messages", "turns")
"""Fields of a line that are dropped if only the fact matters that its episode was played."""
MODELS = (*MODEL_KEYS, *ASKING)
"""Variables that configure model requests."""
Episode = tuple[str, str]
"""Identifies an episode: model or policy, and label."""


@dataclass(frozen=True)
class NodeBatch:
    """Every sample of the tasks ``first`` to ``last`` of a split, except the episodes that already exist.

    Attributes:
        missing: Number of missing episodes.
        scripts: The scripts of a policy; empty for a model.
        there: Lines of the existing episodes.
    """

    model: str
    first: int
    last: int
    missing: int
    scripts: Scripts = field(default_factory=dict)
    there: tuple[str, ...] = ()


@dataclass(frozen=True)
class NodeWork:
    """The data that all batches share: the variant and the settings.

    Attributes:
        labels: The label of each task's first sample, keyed by index.
        options: The options of all batches, with split and turns.
        scripts: The scripts of a policy; empty for models.
    """

    spec: EnvSpec
    folder: Path
    framework: str
    models: Sequence[str]
    labels: Mapping[int, str]
    options: RolloutOptions
    scripts: Scripts = field(default_factory=dict)
    bests: Mapping[str, float] = field(default_factory=dict)

    @property
    def variables(self) -> list[str]:
        """Names of the environment variables, including secrets, to send with the work, because the nodes lack these
        variables.
        """
        return [*backends.kept_variables(self.spec), *(() if self.scripts else MODELS)]

    def episodes(self, model: str, index: int) -> list[Episode]:
        """Return a task's episodes, with one episode per sample."""
        label = self.labels[index]
        return [(model, f"{label}#{k}" if k else label) for k in range(self.options.samples)]

    def wanted(self) -> list[Episode]:
        """Return every episode, in playing order."""
        return [e for model in self.models for i in self.labels for e in self.episodes(model, i)]

    def named(self, line: Mapping[str, Any]) -> Episode | None:
        """Return the episode to which a trajectory line belongs, or None if it is not part of this work."""
        options = self.options
        if line.get("split") != options.split or line.get("max_turns") != options.max_turns:
            return None
        return str(line.get("model")), str(line.get("label"))


def plan_batches(work: NodeWork, there: Mapping[Episode, str], size: int) -> list[NodeBatch]:
    """Return batches of all missing episodes, with about ``size`` episodes each. A model's task is never divided.

    Args:
        there: A line for each existing episode.
    """
    found = []
    for model in work.models:
        open_: list[int] = []
        missing = 0
        for index in work.labels:
            absent = sum(each not in there for each in work.episodes(model, index))
            # rollout.py plays a range, and the tasks in a gap were not requested.
            apart = missing and index != open_[-1] + 1
            if apart or (missing and missing + absent > size):
                found.append(_batch(work, model, open_, missing, there))
                open_, missing = [], 0
            # A batch does not begin with existing episodes: sending them would be useless.
            if absent or missing:
                open_.append(index)
                missing += absent
        if missing:
            found.append(_batch(work, model, open_, missing, there))
    return found


def batch_size(missing: int, processors: int, least: int) -> int:
    """Return a batch size that keeps every processor busy with its maximum number of concurrent episodes."""
    even = -(-missing // (WAVES * max(processors, 1)))
    return max(min(least, BATCH), min(BATCH, even))


def _batch(
    work: NodeWork,
    model: str,
    indices: Sequence[int],
    missing: int,
    there: Mapping[Episode, str],
) -> NodeBatch:
    every = [each for index in indices for each in work.episodes(model, index)]
    scripts = work.scripts.get(model, {})
    return NodeBatch(
        model,
        indices[0],
        indices[-1],
        missing,
        {model: {work.labels[i]: scripts[work.labels[i]] for i in indices}} if scripts else {},
        tuple(there[each] for each in every if each in there),
    )


def shortened(line: Mapping[str, Any]) -> str:
    """Return a trajectory line without its large fields. rollout.py can still identify the episode."""
    return json.dumps({**line, **{name: [] for name in HEAVY}})


def play_batch(work: NodeWork, batch: NodeBatch, environment: Mapping[str, str]) -> list[str]:
    """Play the batch's missing episodes on this machine, in the variant's venv. Return a line per episode.

    Raises RolloutError if this machine does not see the folder or the rollout failed, and InstallError if the
    venv cannot be made.

    Args:
        environment: The values of ``work.variables``.
    """
    if not work.folder.is_dir():
        raise RolloutError(
            f"the node {socket.gethostname()} has no folder {work.folder}\n"
            "    fix: put the environment on a file system that all nodes mount at the same path"
        )
    options = replace(work.options, indices=(batch.first, batch.last))
    bests = {
        f"{options.split}/{index}": best
        for index in range(batch.first, batch.last + 1)
        if (best := work.bests.get(f"{options.split}/{index}")) is not None
    }
    scripts, venv = batch.scripts, variant_venv(work.spec, work.folder, FRAMEWORKS[work.framework])
    process = RolloutProcess(
        *(work.folder, work.framework, venv), keep=work.variables, environment=environment
    )
    serving = serve_scripts(work.spec, scripts, options.samples) if scripts else nullcontext()
    with tempfile.TemporaryDirectory(prefix="skill-tools-") as scratch, serving as endpoint:
        lines = Path(scratch) / "episodes.jsonl"
        lines.write_text("".join(f"{line}\n" for line in batch.there), "utf-8")
        roll_out(
            process,
            [batch.model],
            replace(options, base_url=endpoint.base_url) if endpoint else options,
            output=lines,
            resume=bool(batch.there),
            bests=bests,
        )
        return lines.read_text("utf-8").split("\n")[len(batch.there) : -1]
