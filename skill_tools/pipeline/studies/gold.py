"""Replies that people labelled, by which a judge is calibrated: one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from skill_tools.errors import Problem, SkillToolsError, SpecError, nearest
from skill_tools.reference.process import Query, ask, one
from skill_tools.spec.model import EnvSpec
from skill_tools.spec.parameters import Strict
from skill_tools.spec.roles import Criterion

BINARY = ("no", "yes")
"""The labels of a criterion with the scale ``binary``."""
EXAMPLE = '{"task": "train/0", "reply": "…", "score": 0.5}'


class GoldLine(Strict):
    """One line of a gold file."""

    task: Annotated[str, Field(pattern=r"^\S+/\d+$")]
    reply: str
    score: Annotated[float, Field(ge=0, le=1, strict=False)] | None = None
    labels: dict[str, str] | None = None
    prompt: str | list[dict[str, Any]] | None = None
    reference: Any = None


@dataclass(frozen=True)
class GoldReply:
    """A labelled reply to a task."""

    line: GoldLine
    score: float
    """From 0 to 1, as given or as the labels say."""
    criteria: dict[str, float]
    """The value of each labelled criterion, from 0 to 1."""
    scales: dict[str, Sequence[str]]
    """The labels of each criterion."""

    @property
    def place(self) -> dict[str, Any]:
        """The task's split and index."""
        split, _, index = self.line.task.rpartition("/")
        return {"split": split, "index": int(index)}


def read_gold(path: Path, spec: EnvSpec, folder: Path, role: str) -> list[GoldReply]:
    """Read a gold file. Raises SpecError with the problem of each wrong line; then nothing is returned."""
    if not path.is_file():
        raise SkillToolsError(
            f"{path} does not exist\n    fix: write ten or more labelled replies, one a line: {EXAMPLE}"
        )
    problems, lines = list[Problem](), list[tuple[str, GoldLine]]()
    for number, text in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
        if text.strip():
            try:
                lines.append((f"{path}:{number}", GoldLine.model_validate(json.loads(text))))
            except (ValueError, RecursionError) as error:
                problems.append(_unread(f"{path}:{number}", error))
    replies = [] if problems else list(_resolved(lines, spec, folder, role, problems))
    if problems:
        raise SpecError(problems)
    if not replies:
        raise SkillToolsError(f"{path} is empty\n    fix: write a labelled reply a line: {EXAMPLE}")
    return replies


def _unread(where: str, error: Exception) -> Problem:
    fix = f"write it as in {EXAMPLE}"
    if not isinstance(error, ValidationError):
        return Problem(where, f"the line is not JSON: {error}", fix)
    first = error.errors(include_url=False, include_input=False)[0]
    if not first["loc"]:
        return Problem(where, "the line is not a JSON object", fix)
    name = ".".join(map(str, first["loc"]))
    if first["type"] == "extra_forbidden":
        return Problem(
            where, f"unknown field {name!r}{nearest(name, GoldLine.model_fields)}", "rename it"
        )
    return Problem(where, f"{name}: {first['msg']}", fix)


def _resolved(
    lines: Sequence[tuple[str, GoldLine]],
    spec: EnvSpec,
    folder: Path,
    role: str,
    problems: list[Problem],
) -> Iterator[GoldReply]:
    """Yield the replies whose task and labels exist; add the problems of the others."""
    sizes: dict[str, int] = one(spec, folder, Query("count", "reading the tasks"))
    there = {name: [f"{name}/{index}" for index in range(size)] for name, size in sizes.items()}
    known = {task for each in there.values() for task in each}
    tasks = sorted({line.task for _, line in lines} & known)
    for (where, line), criteria in zip(
        lines, _criteria(spec, folder, role, tasks, [line for _, line in lines]), strict=True
    ):
        scales: dict[str, Sequence[str]] = {
            name: BINARY if each.scale == "binary" else each.scale
            for name, each in criteria.items()
        }
        if wrong := _wrong(line, sizes, known, scales):
            problems.append(Problem(where, *wrong))
            continue
        values = {
            name: scales[name].index(label) / (len(scales[name]) - 1)
            for name, label in (line.labels or {}).items()
        }
        total = sum(criteria[name].weight for name in values)
        mean = sum(values[name] * criteria[name].weight for name in values) / (total or 1)
        yield GoldReply(line, mean if line.score is None else line.score, values, scales)


def _wrong(
    line: GoldLine,
    sizes: Mapping[str, int],
    known: set[str],
    scales: Mapping[str, Sequence[str]],
) -> tuple[str, str] | None:
    """Return what is wrong with a line, and what to do."""
    if line.task not in known:
        listed = ", ".join(f"{name}/0 to {name}/{size - 1}" for name, size in sizes.items() if size)
        return f"there is no task {line.task!r}", f"name one of: {listed}"
    if line.score is None and not line.labels:
        return "the line has neither score nor labels", "add a score from 0 to 1, or labels"
    for name, label in (line.labels or {}).items():
        if name not in scales:
            return f"the rubric has no criterion {name!r}{nearest(name, scales)}", "rename it"
        if label not in scales[name]:
            return f"{name}: {label!r} is not a label", f"write one of: {', '.join(scales[name])}"
    if line.score is None and (missing := sorted(scales.keys() - (line.labels or {}).keys())):
        return f"labels lacks {', '.join(missing)}", "label every criterion, or add a score"
    return None


def _criteria(
    spec: EnvSpec, folder: Path, role: str, tasks: Sequence[str], lines: Sequence[GoldLine]
) -> list[dict[str, Criterion]]:
    """Return the criteria that apply to each line; none without a rubric."""
    rubric = spec.models[role].rubric
    if rubric is None:
        return [{}] * len(lines)
    if not isinstance(rubric.criteria, str):
        return [rubric.criteria] * len(lines)
    by_task = dict[str, dict[str, Criterion]]()
    jobs = []
    for task in tasks:
        split, _, index = task.rpartition("/")
        jobs.append(Query("task", f"reading task {task}", {"split": split, "index": int(index)}))
    for task, reply in zip(tasks, ask(spec, folder, jobs) if jobs else [], strict=True):
        found = (reply.value or {}).get(rubric.criteria) or {}
        by_task[task] = {
            name: Criterion.model_validate({"description": each} if isinstance(each, str) else each)
            for name, each in found.items()
        }
    return [by_task.get(line.task, {}) for line in lines]
