"""Rollouts of thousands of episodes on a cluster: choose the episodes, play them, and write the files."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from skill_tools.errors import DomainError, SkillToolsError
from skill_tools.evidence.trajectory import read
from skill_tools.files import find_environment, write_whole
from skill_tools.pipeline.studies.study_terms import Terms
from skill_tools.policies import scripted
from skill_tools.reference.playbook import (
    ask_bests,
    count_tasks,
    label_episode,
    seed_of,
    write_scripts,
)
from skill_tools.reference.process import Query, ask
from skill_tools.render.choice import choose_rendered
from skill_tools.report.storage.runs import new_run
from skill_tools.rollouts.node_batch import NodeWork
from skill_tools.rollouts.options import RolloutOptions
from skill_tools.rollouts.ray_cluster import WorkerResult, find_cluster, play_on_ray
from skill_tools.rollouts.records.episode_table import as_parquet, as_table
from skill_tools.rollouts.rollout import EPISODE_SECONDS, prepare, refuse_screen
from skill_tools.runtime.progress import Progress, silent
from skill_tools.spec.model import EnvSpec

CONCURRENCY = 16
"""Concurrent episodes of a batch: they wait for a model's replies, and a node has many cores."""


@dataclass(frozen=True)
class ClusterRun:
    """The result of a rollout on a cluster, with the trajectory file, the same data as a table, and counts.

    Attributes:
        table: A Parquet file next to the trajectory file, with a row for each episode; None without
            pyarrow.
    """

    path: Path
    table: Path | None
    handed: WorkerResult


def rollout_on_cluster(
    folder: Path | str,
    framework: str,
    cluster: str,
    options: RolloutOptions | None = None,
    *,
    policy: str = "oracle",
    models: Sequence[str] = (),
    resume: Path | None = None,
    progress: Progress = silent,
) -> ClusterRun:
    """Play a policy, or models, on the nodes of a Ray cluster; every episode is recorded once.

    ``cluster`` is "ray" on a machine of a cluster, otherwise "ray://HOST:PORT". All nodes need the same release
    of skill-tools with its extra ``ray``, and must see the folder at the same path. ``resume`` is a trajectory
    file to continue; only its failed episodes are repeated. If a node dies, another node plays its batches.
    ``options.concurrency`` is the concurrency of a batch, which has one processor.

    Raises InstallError without Ray. Raises SkillToolsError if no cluster replies in time, if no node has a
    processor, or if the file cannot be written. Raises RolloutError if a batch breaks three times. In all cases
    the recorded episodes are kept, and all processes are ended.
    """
    folder = find_environment(folder)
    address = find_cluster(cluster)
    scripted.known(policy)
    spec = choose_rendered(folder, [framework]).spec
    if resume is not None and not resume.is_file():
        raise SkillToolsError(
            f"{resume} does not exist, so there is nothing to resume\n    fix: remove --resume"
        )
    progress(framework, "reading the tasks")
    work = _plan(spec, folder, framework, options or RolloutOptions(), policy, models)
    prepare(spec, folder, [framework], progress)
    path = resume or new_run(folder, framework)
    try:
        handed = play_on_ray(address, work, path, lambda what: progress(framework, what))
    finally:
        if path.exists() and not path.stat().st_size and not resume:
            path.unlink()
    progress(framework, "done")
    return ClusterRun(path, _write_table(path), handed)


def _plan(
    spec: EnvSpec,
    folder: Path,
    framework: str,
    options: RolloutOptions,
    policy: str,
    models: Sequence[str],
) -> NodeWork:
    """Return the work that all nodes share, for a policy or for models."""
    scripts, split, labels = _episodes(spec, folder, None if models else policy, options)
    if models:
        refuse_screen(spec, framework, options)
        shared = replace(options, episode_seconds=options.episode_seconds or EPISODE_SECONDS)
    else:
        shared = RolloutOptions(samples=options.samples, concurrency=options.concurrency)
    return NodeWork(
        spec=spec,
        folder=folder,
        framework=framework,
        models=list(dict.fromkeys(models)) or [policy],
        labels=labels,
        options=replace(
            shared,
            split=split,
            max_turns=options.max_turns or spec.episode.max_turns,
            concurrency=options.concurrency or CONCURRENCY,
        ),
        scripts=scripts,
        bests=ask_bests(spec, folder, split, options.indices, options.seed),
    )


def _episodes(
    spec: EnvSpec,
    folder: Path,
    policy: str | None,
    options: RolloutOptions,
) -> tuple[Mapping[str, Any], str, dict[int, str]]:
    """Return a policy's scripts (empty for models), the split, and each task's label by index."""
    sizes, indices = count_tasks(spec, folder), options.indices
    chosen = options.split or next(iter(sizes), "")
    if sizes.get(chosen, 0) <= indices[1]:
        there = ", ".join(f"{name} (0 to {size - 1})" for name, size in sizes.items())
        raise DomainError(
            f"there is no task {indices[1]} in {chosen!r}; there are: {there or 'none'}"
        )
    wanted = range(indices[0], indices[1] + 1)
    if policy:
        playbook = write_scripts(spec, folder, chosen, len(wanted), first=indices[0])
        by_label = playbook.only(policy)[policy]
        labels = {index: label for label, index in playbook.places.items()}
        mine = {label: by_label[label] for label in labels.values() if label in by_label}
        return {policy: mine}, chosen, dict(sorted(labels.items()))
    places = [{"split": chosen, "index": index} for index in wanted]
    jobs = [Query("task", f"reading task {chosen}/{each['index']}", each) for each in places]
    labels = {}
    for index, job, reply in zip(wanted, jobs, ask(spec, folder, jobs), strict=True):
        if reply.error:
            raise DomainError(f"{job.what} failed: {reply.error}")
        own = seed_of(reply.value) if options.seed is None else options.seed
        labels[index] = label_episode(spec, chosen, index, own)
    return {}, chosen, labels


def play_study(
    cluster: str,
    spec: EnvSpec,
    folder: Path,
    terms: Terms,
    path: Path,
    options: RolloutOptions,
    progress: Progress,
) -> None:
    """Play the missing episodes of a model's study on a cluster. Raises the errors of ``rollout_on_cluster``."""
    address, settings = find_cluster(cluster), terms.settings
    labels = {
        index: label_episode(spec, settings.split, index, seed)
        for index, (_, seed) in settings.tasks.items()
    }
    work = NodeWork(
        spec=spec,
        folder=folder,
        framework=settings.framework,
        models=[settings.model],
        labels=labels,
        options=options,
        bests=ask_bests(spec, folder, settings.split, (min(labels), max(labels))),
    )
    prepare(spec, folder, [settings.framework], progress)
    path.touch()
    try:
        play_on_ray(address, work, path, lambda what: progress(settings.framework, what))
    finally:
        if not path.stat().st_size:
            path.unlink()


def _write_table(path: Path) -> Path | None:
    """Write the trajectories as a Parquet file next to their file, replacing an older table.

    Return None if pyarrow is not installed.
    """
    if importlib.util.find_spec("pyarrow") is None or not path.exists():
        return None
    table = path.with_suffix(".parquet")
    try:
        columns, rows = as_table(read(path))
        write_whole(table, as_parquet(rows, columns))
    except OSError as error:
        raise SkillToolsError(
            f"{table} cannot be written: {error.strerror or error}; {path} holds every episode\n"
            f"    fix: free some space, then run: skill-tools export table {path} --output {table}"
        ) from error
    return table
