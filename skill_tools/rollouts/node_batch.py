"""What one node of a cluster plays in one go: the variant's own rollout.py, for a batch of episodes.

A node has the same skill-tools as who asks it, and sees the environment's folder at the same path. It
makes the variant's venv where it has none. What it starts ends with the process that asked for it.
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
"""Episodes of a batch at most: its process starts in seconds, and is played again where its node dies."""
WAVES = 4
"""Minimum number of batches per processor, if there are enough episodes: no node waits long for the last."""
HEAVY = ("prompt", "tools", "steps", "messages", "turns")
"""Fields of a line that nobody needs who only has to know that its episode was played."""
MODELS = (*MODEL_KEYS, *ASKING)
"""Variables by which a model is asked."""
Episode = tuple[str, str]
"""Which episode it is: model or policy, and label."""


@dataclass(frozen=True)
class NodeBatch:
    """The tasks first to last of a split, in every sample, but for the episodes that are there already.

    scripts: of a policy; empty for a model. there: lines of what was played before. missing: how many
    episodes are not there.
    """

    model: str
    first: int
    last: int
    missing: int
    scripts: Scripts = field(default_factory=dict)
    there: tuple[str, ...] = ()


@dataclass(frozen=True)
class NodeWork:
    """What all batches share: of which variant they are, and how it is asked.

    labels: by index, of a task's first sample. options: those of all batches, with split and turns.
    scripts: of a policy; empty for models.
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
        """Names of the variables, secrets among them, that go with the work: a node has others."""
        return [*backends.kept_variables(self.spec), *(() if self.scripts else MODELS)]

    def episodes(self, model: str, index: int) -> list[Episode]:
        """The episodes of a task, one a sample."""
        label = self.labels[index]
        return [(model, f"{label}#{k}" if k else label) for k in range(self.options.samples)]

    def wanted(self) -> list[Episode]:
        """Every episode, in the order in which they are played."""
        return [e for model in self.models for i in self.labels for e in self.episodes(model, i)]

    def named(self, line: Mapping[str, Any]) -> Episode | None:
        """Which episode a line is about; None for one that this work does not ask for."""
        options = self.options
        if line.get("split") != options.split or line.get("max_turns") != options.max_turns:
            return None
        return str(line.get("model")), str(line.get("label"))


def plan_batches(work: NodeWork, there: Mapping[Episode, str], size: int) -> list[NodeBatch]:
    """Batches of all that is not there, of about ``size`` episodes each; a task is never divided.

    there: a line for each episode that was played before.
    """
    found = []
    for model in work.models:
        open_: list[int] = []
        missing = 0
        for index in work.labels:
            lacks = sum(each not in there for each in work.episodes(model, index))
            # rollout.py plays a range: what lies in a gap was not asked for.
            apart = missing and index != open_[-1] + 1
            if apart or (missing and missing + lacks > size):
                found.append(_batch(work, model, open_, missing, there))
                open_, missing = [], 0
            # What is there stands before no batch: it would be handed over for nothing.
            if lacks or missing:
                open_.append(index)
                missing += lacks
        if missing:
            found.append(_batch(work, model, open_, missing, there))
    return found


def batch_size(missing: int, processors: int, least: int) -> int:
    """Episodes of a batch: few enough for every processor, enough for those that one plays at once."""
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
    """A line without what is heavy: enough for rollout.py to know that the episode is there."""
    return json.dumps({**line, **{name: [] for name in HEAVY}})


def play_batch(work: NodeWork, batch: NodeBatch, environment: Mapping[str, str]) -> list[str]:
    """Play the batch on this machine, in the variant's venv; a line for each episode that was missing.

    environment: values of ``work.variables``. Raises RolloutError where this machine does not see the folder
    or the rollout broke, InstallError where it cannot make the venv.
    """
    if not work.folder.is_dir():
        raise RolloutError(
            f"the node {socket.gethostname()} has no folder {work.folder}\n"
            "    fix: put the environment on a file system that all nodes share, at the same path"
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
