"""The calls that solve the tasks of a foreign environment: read from a file, or found in its rows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from skill_tools.audit.driver import DriverSession
from skill_tools.audit.groups import play_groups
from skill_tools.audit.scripts import TEXT, Call, is_text
from skill_tools.errors import SkillToolsError, nearest
from skill_tools.evidence.trajectory import read

Place = tuple[str | None, int | None, int | None]
"""The split, the index and the seed of a task; None if a solution does not name it."""

TRIED = 3
"""Maximum number of columns with calls to try."""


class Solution(BaseModel):
    """The calls that solve one task. ``split``, ``index`` and ``seed`` identify a task that discovery lists."""

    model_config = ConfigDict(extra="forbid")

    split: str | None = None
    index: int | None = None
    seed: int | None = None
    calls: list[dict[str, Any]]


def read_solutions(file: Path) -> dict[Place, list[Call]]:
    """Read the calls of every solved task from a JSON file of solutions, or a JSON-lines file of trajectories.

    Raises SkillToolsError for any other file.
    """
    if file.suffix == ".jsonl":
        return {
            (t.split, t.index, t.seed): [
                {"tool": s.tool, "arguments": s.arguments} for s in t.steps
            ]
            for t in read(file)
        }
    try:
        read_here = TypeAdapter(list[Solution]).validate_json(file.read_bytes())
    except (OSError, ValidationError) as error:
        raise SkillToolsError(
            f"{file} has no solutions: {error}\n    fix: write a list of "
            '{"split", "index", "seed", "calls": [{"tool", "arguments"} or {"message"}]}, or name a '
            ".jsonl file of trajectories"
        ) from error
    return {(s.split, s.index, s.seed): [_as_call(c) for c in s.calls] for s in read_here}


def _as_call(call: Mapping[str, Any]) -> Call:
    said = call.get("message", call.get("text"))
    if isinstance(said, str) and "tool" not in call:
        return {"tool": TEXT, "arguments": {"text": said}}
    return {"tool": call.get("tool", ""), "arguments": call.get("arguments", {})}


def match_solutions(
    solutions: Mapping[Place, list[Call]], found: Mapping[str, Any]
) -> dict[tuple[Any, ...], list[Call]]:
    """Return the solutions of the played tasks, by split, index and seed.

    Raises SkillToolsError if a solution belongs to no task or cannot be played, or if no played task has a
    solution.
    """
    matched = {}
    splits = list(dict.fromkeys([*(p["split"] for p in found["places"]), *found.get("splits", ())]))
    for number, ((split, index, seed), calls) in enumerate(solutions.items(), 1):
        if split is None and len(splits) == 1:
            split = splits[0]
        if wrong := _refused(found, splits, split, index) or _unplayable(found, calls):
            raise SkillToolsError(f"solution {number} of --solutions {wrong}")
        # The seed of a task is part of the task; without tasks, the seed is the task.
        wanted = seed if seed is not None or index is not None else 0
        for place in found["places"]:
            same = (place["split"], place["index"]) == (split, index)
            if same and wanted in (None, place["seed"]):
                matched[place["split"], place["index"], place["seed"]] = calls
    if solutions and not matched:
        raise SkillToolsError(
            f"none of the {len(solutions)} solutions is for one of the {len(found['places'])} tasks that are "
            "played\n    fix: give a solution of one of the first tasks, or play more with --num-tasks N"
        )
    return matched


def _refused(
    found: Mapping[str, Any], splits: Sequence[str | None], split: str | None, index: int | None
) -> str:
    """Return why a split and index are not a task of the environment, or "" if such a task may exist."""
    if split not in splits:
        named = ", ".join(repr(each) for each in splits if each is not None)
        if split is None:
            return f"names no split, and there are several\n    fix: name one of {named}"
        if not named:
            return f"names the split {split!r}, but the tasks are seeds\n    fix: name a seed"
        return f"names the split {split!r}{nearest(split, [str(each) for each in splits])}; there are: {named}"
    if split is None:
        return "names an index, but the tasks are seeds\n    fix: name a seed" if index else ""
    size = (found.get("splits") or {}).get(split)
    if index is None or index < 0 or (size is not None and index >= size):
        many = f"{size} tasks" if size is not None else "tasks"
        named = "no index" if index is None else f"the index {index}"
        return f"names {named} in the split {split!r} of {many}\n    fix: name an index from 0"
    return ""


def _unplayable(found: Mapping[str, Any], calls: Sequence[Call]) -> str:
    """Return why an environment cannot play a solution's texts, or "" if the texts can be played."""
    if found.get("texts", True) or not any(is_text(each, found["tools"]) for each in calls):
        return ""
    tools = [str(tool.get("name")) for tool in found["tools"]]
    return (
        "has a text, but the environment takes only calls\n    fix: write "
        f'{{"tool", "arguments"}}; the tools are: {", ".join(tools)}'
    )


def solved_in_rows(driven: DriverSession) -> dict[tuple[Any, ...], list[Call]]:
    """Return the calls of the first column whose calls get a higher return than no calls, for every row."""
    for number, solved in enumerate(islice(_columns(driven.found or {}), TRIED)):
        place, calls = next(iter(solved.items()))
        where = dict(zip(("split", "index", "seed"), place, strict=True))
        scripts = [
            {**where, "label": "look", "policy": policy, "calls": made}
            for policy, made in (("listed", calls), ("nothing", []))
        ]
        groups = [{"key": f"rows/{number}/{each['policy']}", "scripts": [each]} for each in scripts]
        got, _ = play_groups(driven, groups, 2 * driven.call_seconds)
        paid = [each.trajectory.total for several in got.values() for each in several]
        earned = [total for total in paid if total is not None]
        if len(earned) == len(scripts) and earned[0] > earned[1]:
            return solved
    return {}


def _columns(found: Mapping[str, Any]) -> Iterator[dict[tuple[Any, ...], list[Call]]]:
    """For each column that lists calls, yield the calls of all tasks."""
    rows = {
        (place["split"], place["index"], place["seed"]): place["task"]
        for place in found["places"]
        if isinstance(place.get("task"), dict)
    }
    for name in dict.fromkeys(name for row in rows.values() for name in row):
        told = {key: calls for key, row in rows.items() if (calls := _calls_in(row.get(name)))}
        if told:
            yield told


def _calls_in(value: Any) -> list[Call]:
    """Return the calls that a value lists in the format of model APIs, or [] if the value lists no such calls."""
    calls: list[Call] = []
    for each in value if isinstance(value, list) else [value]:
        call = each.get("function", each) if isinstance(each, dict) else {}
        given = call.get("arguments") if isinstance(call, dict) else None
        try:
            given = json.loads(given) if isinstance(given, str) else given
        except (ValueError, RecursionError):
            return []
        if not isinstance(given, dict) or not isinstance(call.get("name"), str):
            return []
        calls.append({"tool": call["name"], "arguments": given})
    return calls
