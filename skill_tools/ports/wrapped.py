"""The author's files of an imported environment."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2
from jsonschema import Draft202012Validator

from skill_tools.archetypes import scaffold
from skill_tools.archetypes.starter import as_yaml
from skill_tools.audit.scripts import is_text
from skill_tools.checks.rules.words.refusals import stated_refusals
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.ports.equality import RULES_FILE
from skill_tools.ports.exploration import Tour
from skill_tools.ports.options import ImportOptions
from skill_tools.ports.original import Discovered
from skill_tools.render.tool_declarations import as_block, declare, in_docstring, method_of
from skill_tools.spec.model import (
    MESSAGE,
    PLACEHOLDER,
    USUAL_FRAMEWORKS,
    ArchetypeName,
    class_name_of,
)
from skill_tools.spec.tools import Tool

_FOLDERS = Path(scaffold.__file__).parent / "templates"
TEMPLATES = _FOLDERS / "wrapped"
HELD_OUT = 5
"""If the original has one split, every fifth task becomes the test split."""
USUAL_TURNS = 30
"""Turn limit of an episode with tools if the original states no limit."""
Task = dict[str, Any]


@dataclass(frozen=True)
class TaskTable:
    """The tasks by split, and the place of each task in the original."""

    splits: Mapping[str, list[Task]]
    places: Mapping[str, int]
    """The number of a task's place in the discovery, by the task's id."""


def task_table(seen: Discovered, tour: Tour) -> TaskTable:
    """Return the places of an original as a table of tasks."""
    splits: dict[str, list[Task]] = {}
    numbers: dict[str, int] = {}
    given = [place["split"] for place in seen.found["places"]]
    alone = len(set(given)) == 1 and len(given) >= 2 * HELD_OUT
    differ = len({tuple(names) for names in tour.offered}) > 1
    for number, place in enumerate(seen.found["places"]):
        named = re.sub(r"\W+", "_", str(place["split"] or "train")).strip("_") or "train"
        held = alone and number % HELD_OUT == HELD_OUT - 1
        split = ("test" if held else "train") if alone else named
        position = place["seed"] if place["index"] is None else place["index"]
        task: Task = {"id": f"{split}-{position:05}", "seed": place["seed"]}
        if place["split"] is not None:
            task |= {"split": place["split"], "index": place["index"]}
        if differ:
            task["offered"] = [name_here(name) for name in tour.offered[number]]
        splits.setdefault(split, []).append(task)
        numbers[task["id"]] = number
    return TaskTable(splits, numbers)


def wrap_files(
    name: str, seen: Discovered, tour: Tour, table: TaskTable, asked: ImportOptions
) -> dict[str, str]:
    """Return the author's files of an imported environment, without the folder of the original.

    Raises SkillToolsError for a tool that env.yaml cannot declare.
    """
    known = spec_variables(name, seen, tour, asked)
    folders = [_FOLDERS / "rewritten", TEMPLATES] if asked.rewrite else [TEMPLATES]
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folders),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
    )
    environment.filters |= {"yaml": as_yaml, "json": json.dumps, "docstring": in_docstring}
    files = {
        path.name.removesuffix(".jinja"): environment.get_template(path.name).render(known)
        for path in sorted(TEMPLATES.glob("*.jinja"))
    }
    for split, tasks in table.splits.items():
        files[f"tasks/{split}.jsonl"] = "".join(f"{json.dumps(task)}\n" for task in tasks)
    if renamed := tool_names(tour):
        lines = "".join(f"  {theirs}: {ours}\n" for theirs, ours in renamed.items())
        files[RULES_FILE] = (
            f"# Names that a framework reserves, and the names here.\ntools:\n{lines}"
        )
    files["solutions.json"] = json.dumps(_solutions(tour, table), indent=1) + "\n"
    return files


def _solutions(tour: Tour, table: TaskTable) -> dict[str, Any]:
    """Return the best known calls of every task, with their return."""
    found, tools = dict[str, Any](), list(tour.tools.values())
    for task_id, number in table.places.items():
        calls, total = tour.best[number]
        named = [
            [MESSAGE if is_text(each, tools) else name_here(each["tool"]), each["arguments"]]
            for each in calls
        ]
        found[task_id] = {"calls": named, "return": total}
    return found


def spec_variables(name: str, seen: Discovered, tour: Tour, asked: ImportOptions) -> dict[str, Any]:
    """Return the variables of the templates."""
    found = seen.found
    tools = {
        name_here(name): declare(name_here(name), _described(tool))
        for name, tool in tour.tools.items()
    }
    own = {name_here(name): name for name in tour.tools}
    methods = [_method(key, fields, tour.tools[own[key]]) for key, fields in tools.items()]
    signatures = "".join(signature for _, _, signature, _, _ in methods)
    one_turn = not tools and bool(found.get("ends_itself"))
    says = bool(found.get("in_text")) or tour.takes_messages
    turns = 1 if one_turn else asked.max_turns or found.get("max_turns")
    stated = asked.reward_range or found.get("reward_range")
    limit = turns or max(USUAL_TURNS, tour.longest)
    low, high = stated or tour.possible_returns(limit)
    title = str(found.get("title") or name.replace("_", " ").title())
    about = " ".join(str(found.get("description") or "").split())
    return {
        "name": name,
        "title": title.strip(),
        "description": about or f"CHANGE: what the agent does in {title}.",
        "class_name": class_name_of(name),
        "archetype": _archetype(bool(tools), one_turn=one_turn),
        "source": seen.target.name,
        "wraps": not asked.rewrite,
        "system": _system(tour.openings),
        "message": _message(bool(tools)) if says else "",
        "tools": as_block(tools) if tools else "",
        "offered": len({tuple(names) for names in tour.offered}) > 1,
        "methods": methods,
        "leaves_out": any("**left_out(" in arguments for *_, arguments, _ in methods),
        "kinds": [kind for kind in ("Any", "Literal") if re.search(rf"\b{kind}\b", signatures)],
        "range": [float(low), float(high) if high > low else float(low) + 1.0],
        "guessed_range": not stated,
        "timing": "per_step" if tour.per_step else "terminal",
        "max_turns": limit,
        "guessed_turns": not turns,
        "refusals": stated_refusals(_words(tour), turns or USUAL_TURNS),
        "best": _best(seen, tour, float(high)),
        "seeded": bool(found.get("seeded")),
        "rewardless": bool(found.get("rewardless")),
        "frameworks": ", ".join(_frameworks(tools)),
    }


def _words(tour: Tour) -> str:
    """Return the text of the first opening."""
    first = [str(message.get("content") or "") for message in tour.openings[0]]
    return "\n".join(first)


def _best(seen: Discovered, tour: Tour, top: float) -> str:
    """Return how env.yaml declares the maximum (``by_task`` or ``luck``); "" if every task reaches the top."""
    if all(total >= top for _, total in tour.best.values()):
        return ""
    return "by_task" if len(seen.solved) == len(tour.best) else "luck"


def name_here(tool: str) -> str:
    """Return the name that a tool of the original has in this environment; reserved names are changed."""
    reserved = any(tool in FRAMEWORKS[name].reserved_tools for name in USUAL_FRAMEWORKS)
    return {"step": "act"}.get(tool, f"use_{tool}") if reserved else tool


def tool_names(tour: Tour) -> dict[str, str]:
    """Return the names of renamed tools in this environment, by their names in the original."""
    return {name: name_here(name) for name in tour.tools if name_here(name) != name}


def _described(tool: Mapping[str, Any]) -> dict[str, Any]:
    about = str(tool.get("description") or "").strip() or f"The tool {tool['name']}."
    return {"description": about, "schema": _with_descriptions(tool.get("parameters"))}


def _with_descriptions(schema: Any) -> Any:
    """Return a schema in which every argument has a description; a missing description is made from the name."""
    if not isinstance(schema, dict) or not isinstance(schema.get("properties"), dict):
        return schema
    fields = {
        name: {"description": f"The value of {name}.", **field}
        if isinstance(field, dict)
        else field
        for name, field in schema["properties"].items()
    }
    return {**schema, "properties": fields}


def _method(
    name: str, fields: Mapping[str, Any], tool: Mapping[str, Any]
) -> tuple[str, str, str, str, str]:
    """Return the name of an original's tool, its method, the parameters, the passed arguments, and a description."""
    method, parameters, about = method_of(name, fields)
    return tool["name"], method, parameters, _arguments(fields, tool.get("parameters")), about


def _arguments(fields: Mapping[str, Any], schema: Any) -> str:
    """Return the items of a dict with a method's arguments.

    Optional arguments that are ``None`` are left out of the call, because the model left them out. ``None`` is passed
    on only if the original's schema allows null and, for an optional argument, states a default.
    """
    stated = schema.get("properties", {}) if isinstance(schema, dict) else {}
    passed, absent = list[str](), list[str]()
    for name, each in Tool.model_validate(fields).parameters.items():
        null = Draft202012Validator(each.json_schema()).is_valid(None)
        if not each.optional or (null and "default" in stated.get(name, {})):
            passed.append(f"{json.dumps(name)}: {name}")
        else:
            absent.append(f"{name}={name}")
    return ", ".join([*passed, *([f"**left_out({', '.join(absent)})"] if absent else [])])


def _archetype(tools: bool, *, one_turn: bool) -> ArchetypeName:
    if tools:
        return "stateful-sandbox"
    return "single-turn" if one_turn else "conversation"


def _message(tools: bool) -> str:
    return "A message without a tool call." if tools else "The model's reply."


def _frameworks(tools: Mapping[str, Any]) -> list[str]:
    return [n for n in USUAL_FRAMEWORKS if not FRAMEWORKS[n].reserved_tools & tools.keys()]


def _system(openings: Sequence[Sequence[Mapping[str, Any]]]) -> str:
    """Return the system prompt that all openings share; "" if openings differ or the prompt has placeholders."""
    first = {
        str(message["content"])
        for opening in openings
        for message in opening[:1]
        if message.get("role") == "system"
    }
    shared = len(first) == 1 and all(o and o[0].get("role") == "system" for o in openings)
    text = next(iter(first), "") if shared else ""
    ours = {"observation", "id", "seed", "split", "index", "offered"}
    return "" if ours & set(PLACEHOLDER.findall(text)) else text
