"""Properties of the domain and its tasks that can be examined without an episode."""

import inspect
import json
import zlib
from typing import Any, cast

from skill_tools_jobs import Json, Request
from skill_tools_jobs.episodes import module, splits, task_at

METHODS = ("observe",)


def inspect_domain(request: Request) -> Json:
    """Return the parameter names of each tool's method in the domain class, and the required methods that the class
    lacks.
    """
    domain = module(request, request["domain"][0])
    world = getattr(domain, request["domain"][1], None)
    if world is None:
        raise AttributeError(f"{request['domain'][0]}.py has no class {request['domain'][1]}")
    tools = {}
    for name, played_by in request["tools"].items():
        method = getattr(world, played_by, None)
        if callable(method):
            parameters = list(inspect.signature(method).parameters.values())[1:]
            tools[name] = [
                "**" if p.kind is p.VAR_KEYWORD else "*" if p.kind is p.VAR_POSITIONAL else p.name
                for p in parameters
            ]
    invalid = getattr(domain, "InvalidAction", None)
    return {
        "tools": tools,
        "closes": callable(getattr(world, "close", None)),
        "status": "status" not in request["tools"].values()
        and callable(getattr(world, "status", None)),
        "missing": [name for name in METHODS if not callable(getattr(world, name, None))],
        "invalid_action": isinstance(invalid, type) and issubclass(invalid, Exception),
    }


def count_tasks(request: Request) -> dict[str, int]:
    """Return the number of tasks in each split."""
    table = splits(request)
    if not isinstance(table, dict):
        raise TypeError(f"the tasks are a {type(table).__name__}, not {{split: [task, ...]}}")
    return {split: len(table[split]) for split in table}


def deal(request: Request) -> dict[str, list[int]]:
    """Return the checksums of each split's tasks, to compare with the checksums from another process."""
    table = splits(request)
    return {
        split: [zlib.crc32(json.dumps(t, sort_keys=True).encode()) for t in table[split]]
        for split in table
    }


def survey_tasks(request: Request) -> dict[str, list[list[Any]]]:
    """Return the id and field names of every task in every split. Raise an error if a task is not a JSON object."""
    count_tasks(request)
    table = splits(request)
    found: dict[str, list[list[Any]]] = {}
    for split in table:
        found[split] = []
        for index, task in enumerate(table[split]):
            try:
                checked(task)
            except (TypeError, ValueError) as error:
                raise type(error)(f"task {index} of {split}: {error}") from error
            found[split].append([task.get("id"), [str(name) for name in sorted(task)]])
    return found


def checked(task: object) -> Json:
    """Return the task as JSON data. Raises TypeError or ValueError if it is not JSON data."""
    if not isinstance(task, dict):
        raise TypeError(f"a task must be a dict, and one is a {type(task).__name__}")
    return cast(Json, json.loads(json.dumps(task, allow_nan=False)))


def read_task(request: Request, split: str, index: int) -> Json:
    """Return one task as JSON data. Raise an error if the task is not JSON data."""
    return checked(task_at(request, split, index))


JOBS = {
    "inspect": inspect_domain,
    "count": count_tasks,
    "deal": deal,
    "survey": survey_tasks,
    "task": read_task,
}
