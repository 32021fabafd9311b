"""Dataset rows in the format of NeMo Gym's `gym`: one row per task, with the task's place and opening messages."""

from __future__ import annotations

import argparse
import difflib
import json
from collections.abc import Sequence
from typing import Any

from .. import env_spec, task_table
from ..episode import Episode
from ..models.responses import as_items
from . import openings, play

PROBLEM = ("split", "index", "task", "seed", "max_turns")
"""Fields of a row that identify what to play: a place in a split or a whole task; others are optional."""
USERS = "metadata"
"""Field of a row for your own columns, which the rendered code ignores."""
GYMS = ("agent_ref", "skills_ref", "task_source")
"""Fields that gym itself adds to rows, in addition to those with a leading underscore."""


def as_functions(tools: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return tools in the format that the Responses API expects."""
    return [{"type": "function", "strict": False, **tool} for tool in tools]


def read(row: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a row that identify its task.

    Raises ValueError for an unknown field, or if the row does not name exactly one task.
    """
    given = {name: value for name, value in row.items() if value is not None}
    ours = [*PROBLEM, USERS]
    for name in given:
        if name in ours or name in GYMS or name.startswith("_"):
            continue
        close = difflib.get_close_matches(name, ours, n=1)
        guess = f" (did you mean {close[0]!r}?)" if close else ""
        fields = f"its fields are {', '.join(PROBLEM)}, and {USERS} for your own data"
        raise ValueError(f"a row has no field {name!r}{guess}; {fields}")
    if "task" in given and ("split" in given or "index" in given):
        raise ValueError("the row names both a task and a place in a split; use one of them")
    if "task" not in given and "index" not in given:
        raise ValueError("the row names no task; add split and index, or a whole task")
    return {name: given.get(name) for name in PROBLEM}


def main(arguments: Sequence[str]) -> None:
    """Print the tasks of a split as dataset rows."""
    parser = argparse.ArgumentParser(prog="server.py rows", description="Print tasks as rows.")
    parser.add_argument("split", choices=task_table.splits())
    what = "add `user`, by which scripted models distinguish episodes; some servers refuse it"
    parser.add_argument("--label", action="store_true", help=what)
    args = parser.parse_args(arguments)
    for index, task in enumerate(task_table.tasks(args.split)):
        episode = Episode(task)
        # An agent that plays one message opens no session, and needs the whole opening.
        opened = episode.prompt if env_spec.ONE_MESSAGE else openings.apart(episode.prompt)[0]
        items = [item for message in opened for item in as_items(message)]
        params: dict[str, Any] = {"input": items, "tools": as_functions(episode.tools)}
        if args.label:
            place = play.Assignment(args.split, index, task, episode.seed, episode.max_turns)
            params["user"] = place.label
        row = {"split": args.split, "index": index, "seed": episode.seed}
        print(json.dumps({"responses_create_params": params, **row}))
        episode.close()
