"""Replies that people labeled, with which a judge is calibrated; a file has one JSON object per line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from skill_tools.errors import Problem, SkillToolsError, SpecError, nearest
from skill_tools.reference.process import Query, Reply, ask
from skill_tools.spec.model import EnvSpec
from skill_tools.spec.parameters import Strict
from skill_tools.spec.surroundings import Criterion

EXAMPLE = '{"task": "train/0", "reply": "…", "score": 0.5}'
FIX = f"write it as in {EXAMPLE}"


class GoldLine(Strict):
    """One line of a gold file."""

    task: Annotated[str, Field(pattern=r"^\S+/\d+$")]
    reply: str
    score: Annotated[float, Field(ge=0, le=1, strict=False)] | None = None
    labels: dict[str, str] = {}
    prompt: str | list[dict[str, Any]] | None = None
    reference: Any = None

    @property
    def place(self) -> dict[str, Any]:
        """Return the task's split and index."""
        split, _, index = self.task.rpartition("/")
        return {"split": split, "index": int(index)}


@dataclass(frozen=True)
class GoldReply:
    """A labeled reply to a task.

    Attributes:
        score: The score from 0 to 1, given directly or derived from the labels.
        criteria: For each labeled criterion, the position of its label, counted from the worst label, and the
            position of the best label.
    """

    line: GoldLine
    score: float
    criteria: dict[str, tuple[int, int]]


def read_gold(path: Path, spec: EnvSpec, folder: Path, role: str) -> list[GoldReply]:
    """Read a gold file. Raises SpecError with the problem of each wrong line."""
    lines, problems = dict[str, GoldLine](), list[Problem]()
    texts = path.read_text("utf-8", "replace").splitlines() if path.is_file() else []
    for number, text in enumerate(texts, 1):
        if text.strip():
            try:
                lines[f"{path}:{number}"] = GoldLine.model_validate(json.loads(text))
            except (ValueError, RecursionError) as error:
                problems.append(_unread(f"{path}:{number}", error))
    if not (lines or problems):
        what = "is empty" if path.is_file() else "does not exist"
        raise SkillToolsError(
            f"{path} {what}\n    fix: write one labeled reply per line: {EXAMPLE}"
        )
    tasks = {} if problems else _tasks(spec, folder, list(lines.values()))
    found = list[GoldReply]()
    for where, line in lines.items() if tasks else ():
        criteria = _criteria(spec, role, tasks[line.task].value or {})
        wrong = list(_wrong(line, tasks[line.task], criteria))
        problems += [Problem(where, *each) for each in wrong]
        if not wrong:
            found.append(_labeled(line, criteria))
    if problems:
        raise SpecError(problems)
    return found


def _unread(where: str, error: Exception) -> Problem:
    if not isinstance(error, ValidationError):
        return Problem(where, f"the line is not JSON: {error}", FIX)
    first = error.errors(include_url=False, include_input=False)[0]
    if not first["loc"]:
        return Problem(where, "the line is not a JSON object", FIX)
    name = ".".join(map(str, first["loc"]))
    if first["type"] == "extra_forbidden":
        what = f"unknown field {name!r}{nearest(name, GoldLine.model_fields)}"
        return Problem(where, what, "rename or remove it")
    return Problem(where, f"{name}: {first['msg']}", FIX)


def _tasks(spec: EnvSpec, folder: Path, lines: Sequence[GoldLine]) -> dict[str, Reply]:
    """Return the domain's reply about each task that a line names. For a missing task, the reply is an error."""
    jobs = {each.task: Query("task", f"reading the task {each.task}", each.place) for each in lines}
    return dict(zip(jobs, ask(spec, folder, list(jobs.values())), strict=True))


def _criteria(spec: EnvSpec, role: str, task: Mapping[str, Any]) -> dict[str, Criterion]:
    """Return the criteria that apply to a task; an empty dict without a rubric."""
    rubric = spec.models[role].rubric
    if rubric is None:
        return {}
    if not isinstance(rubric.criteria, str):
        return rubric.criteria
    found = (task.get(rubric.criteria) or {}).items()
    given = {name: {"description": each} if isinstance(each, str) else each for name, each in found}
    return {name: Criterion.model_validate(each) for name, each in given.items()}


def _wrong(
    line: GoldLine, task: Reply, criteria: Mapping[str, Criterion]
) -> Iterator[tuple[str, str]]:
    """Yield each problem of a line, with its fix."""
    if task.error:
        yield f"there is no task {line.task!r}: {task.error}", "name the task's split and index"
        return
    if line.score is None and not line.labels:
        yield "the line has neither score nor labels", "add a score from 0 to 1, or labels"
    for name, label in line.labels.items():
        if name not in criteria:
            yield f"the rubric has no criterion {name!r}{nearest(name, criteria)}", "rename it"
        elif label not in criteria[name].labels:
            listed = ", ".join(criteria[name].labels)
            yield f"{name}: {label!r} is not a label", f"write one of: {listed}"
    missing = sorted(criteria.keys() - line.labels.keys())
    if line.score is None and missing and 0 < len(line.labels) < len(criteria):
        yield f"no label for {', '.join(missing)}", "label every criterion, or add a score"


def _labeled(line: GoldLine, criteria: Mapping[str, Criterion]) -> GoldReply:
    places = {
        name: (criteria[name].labels.index(label), len(criteria[name].labels) - 1)
        for name, label in line.labels.items()
    }
    if line.score is not None:
        return GoldReply(line, line.score, places)
    total = sum(criteria[name].weight for name in places)
    score = sum(at / best * criteria[name].weight for name, (at, best) in places.items())
    return GoldReply(line, score / total, places)
