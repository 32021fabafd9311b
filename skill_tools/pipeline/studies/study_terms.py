"""The terms of a model's study: its tasks, its settings and its file. Invalid options are refused."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skill_tools.errors import DomainError, SkillToolsError
from skill_tools.evidence.levels import find_levels
from skill_tools.reference.playbook import count_tasks, seed_of
from skill_tools.reference.process import Query, ask, one
from skill_tools.render.choice import choose_rendered, choose_variants
from skill_tools.report.storage.runs import study_file
from skill_tools.rollouts.options import RolloutOptions, SamplePlan
from skill_tools.rollouts.records.study_file import StudySettings, set_aside
from skill_tools.rollouts.rollout import ASKING
from skill_tools.spec.model import EnvSpec

TASKS = 24
"""Default number of tasks, as in a study without a model."""
SPARSE = 0.5
"""A split's first tasks are played if each level has at least this share of its number in an even distribution.

Otherwise the first tasks of each level are played; each gap between tasks then costs a process per round.
"""


@dataclass(frozen=True)
class Terms:
    """The tasks of a split that are played, the levels of all tasks, and the settings of all episodes."""

    tasks: tuple[int, ...]
    levels: list[str]
    settings: StudySettings


def agree(
    spec: EnvSpec,
    folder: Path,
    framework: str,
    model: str,
    options: RolloutOptions,
    num_tasks: int | None,
) -> Terms:
    """Return a study's terms. Raises DomainError for an unknown split, or if reading a task fails."""
    sizes = count_tasks(spec, folder)
    chosen = options.split or next(iter(sizes), "")
    if chosen not in sizes:
        there = ", ".join(f"{name} ({size})" for name, size in sizes.items()) or "none"
        raise DomainError(f"there are no tasks in split {chosen!r}; the splits are: {there}")
    every = one(spec, folder, Query("read_settings", "reading all tasks", {"split": chosen}))
    levels = find_levels(every, spec.hidden).of
    indices = choose_tasks(levels, num_tasks or TASKS)
    said = [
        Query("task", f"reading task {chosen}/{index}", {"split": chosen, "index": index})
        for index in indices
    ]
    found = []
    for query, reply in zip(said, ask(spec, folder, said), strict=True):
        if reply.error:
            raise DomainError(f"{query.what} failed: {reply.error}")
        found.append(reply.value)
    known = {i: (task.get("id"), seed_of(task)) for i, task in zip(indices, found, strict=True)}
    settings = StudySettings(
        environment=spec.name,
        framework=framework,
        model=model,
        split=chosen,
        max_turns=spec.episode.max_turns,
        tasks=known,
        sampling=_sampling(options),
    )
    return Terms(indices, levels, settings)


def first_rendered(folder: Path) -> str:
    """Return the first framework of env.yaml that is rendered. Raises RenderError if no framework is rendered."""
    choice = choose_variants(folder)
    there = [name for name in choice.frameworks if name not in choice.unrendered]
    return there[0] if there else choose_rendered(folder).frameworks[0]


def choose_tasks(levels: Sequence[str], most: int) -> tuple[int, ...]:
    """Return at most ``most`` tasks: the split's first tasks if these cover the levels, or each level's first tasks."""
    sizes, first = Counter(levels), Counter(levels[:most])
    if not sizes:
        return ()
    share = most / len(sizes)
    if all(first[level] >= SPARSE * min(share, size) for level, size in sizes.items()):
        return tuple(range(min(most, len(levels))))
    ranks: Counter[str] = Counter()
    by_rank = []
    for index, level in enumerate(levels):
        by_rank.append((ranks[level], index))
        ranks[level] += 1
    return tuple(sorted(index for _, index in sorted(by_rank)[:most]))


def _sampling(options: RolloutOptions) -> dict[str, Any] | None:
    """Return the request settings that rollout.py records; None if its environment variables may add more."""
    if any(os.environ.get(name) for name in ASKING):
        return None
    names = {"temperature": "temperature", "top_p": "top_p", "max_tokens": "max_tokens"}
    names |= {"seed": "sampling_seed", "stop": "stop"}
    given = {name: getattr(options, field) for name, field in names.items()}
    given["stop"] = list(options.stop) or None
    try:
        extra: dict[str, Any] = json.loads(options.extra_body or "{}")
    except ValueError:  # rollout.py reports the problem
        return None
    return {name: value for name, value in given.items() if value is not None} | extra


def study_path(folder: Path, model: str, resume: Path | None, *, restart: bool) -> Path:
    """Return the study's file. Raises SkillToolsError if, contrary to the options, the file exists or is missing."""
    path = resume or study_file(folder, model)
    there = path.is_file() and path.stat().st_size
    if resume is not None and not path.is_file():
        raise SkillToolsError(
            f"{path} does not exist, so there is nothing to resume\n    fix: remove --resume"
        )
    if there and restart:
        set_aside(path)
    elif there and resume is None:
        raise SkillToolsError(
            f"{path} already has a study of {model}\n"
            "    fix: continue it with --resume, or start a new one with --restart, which keeps the old file"
        )
    return path


def refuse_odd(options: RolloutOptions, plan: SamplePlan, resume: Path | None) -> None:
    """Raise SkillToolsError for invalid numbers, and for options that exclude each other."""
    counts = {"--samples": options.samples, "--concurrency": options.concurrency}
    counts |= {"--num-tasks": plan.num_tasks, "--episodes": plan.episodes}
    counts |= {"--token-budget": plan.token_budget}
    for name, value in counts.items():
        if value is not None and value < 1:
            raise SkillToolsError(f"{name} is {value}\n    fix: give a number of at least 1")
    if plan.ci_halfwidth is not None and not 0 < plan.ci_halfwidth < 1:
        raise SkillToolsError(
            f"--ci-halfwidth is {plan.ci_halfwidth:g}\n"
            "    fix: give half the width of the confidence interval of pass@1, between 0 and 1"
        )
    if (plan.price_in is None) != (plan.price_out is None):
        raise SkillToolsError(
            "--price-in and --price-out belong together\n    fix: give both; one of them can be 0"
        )
    if plan.restart and resume is not None:
        raise SkillToolsError(
            "--resume and --restart exclude each other\n    fix: remove one of them"
        )
    if options.seed is not None or options.max_turns is not None:
        raise SkillToolsError(
            "a study plays each task with the task's own seed and turn limit\n"
            "    fix: leave seed and max_turns out of the options"
        )
