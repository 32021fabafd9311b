"""The scripts of a comparison: solutions and their parts, random and boundary actions, silence, recordings."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from skill_tools.errors import DomainError, SkillToolsError
from skill_tools.evidence.certificate import Scripted
from skill_tools.evidence.trajectory import read
from skill_tools.policies.schema_values import arguments_of, bad_values
from skill_tools.ports.exploration import spoken
from skill_tools.ports.frontier import Frontier
from skill_tools.reference.playbook import count_tasks, write_scripts
from skill_tools.spec.model import MESSAGE, EnvSpec

LONGEST = 60
"""Maximum actions of a random script."""
MOST_PLACES = 60
"""Maximum tasks of a split to play."""
LEFT_OUT = 0.4
"""Share of the actions of an extended script that are left out."""
EDGES = (
    "",
    " ",
    "\n\n",
    "0",
    "-1",
    "yes",
    "no",
    "None",
    "[]",
    "{}",
    "A" * 5_000,
    "é ✓ 🙂",
    "</answer>",
    "\\boxed{}",
)
"""Messages that a parser may not expect."""
Call = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class ScriptedTask:
    """A task to compare, with its place in both environments, and its solution if a solution is known."""

    split: str
    index: int
    seed: int | None
    place: Mapping[str, Any]
    solution: Sequence[Call]
    texts: Sequence[str]


def read_tasks(
    spec: EnvSpec, folder: Path, places: Sequence[Mapping[str, Any]]
) -> list[ScriptedTask]:
    """Return the tasks that both environments have.

    ``places`` are the original's tasks. If ``places`` is empty, both environments have the same tasks.
    A task names its place in the original by its fields `split`, `index` and `seed`, as an import writes them.
    Otherwise the task's own split and index, or its seed, identify the place. Raises DomainError if the
    environments have no task in common.
    """
    found: list[ScriptedTask] = []
    for split in count_tasks(spec, folder):
        playbook = write_scripts(spec, folder, split, MOST_PLACES, lenient=True)
        solutions = playbook.scripts.get("oracle", {})
        for label, index in playbook.places.items():
            task = playbook.tasks.tasks[index]
            place = _place_of(task, split, index, places) if places else {}
            if place is None:
                continue
            calls = [(c.tool, c.arguments) for turn in solutions.get(label, ()) for c in turn.calls]
            plain = [(tool, dict(given)) for tool, given in calls if isinstance(given, Mapping)]
            texts = [str(each) for each in task.values() if isinstance(each, str)]
            own = task.get("seed", 0)
            found.append(ScriptedTask(split, index, own, place, plain, texts))
    if not found:
        raise DomainError(
            f"no task of {folder} matches one of the original's {len(places)}\n    fix: give each task the fields "
            "split and index, or seed, of the original's task"
        )
    return found


def _place_of(
    task: Mapping[str, Any], split: str, index: int, places: Sequence[Mapping[str, Any]]
) -> dict[str, Any] | None:
    """Return the split, index and seed of a task in the original; None if the original does not have the task."""
    keys = ("split", "index", "seed")
    seeds = all(each["split"] is None for each in places)
    wanted = (task.get("split", split), task.get("index", index))
    for each in places:
        mine = (
            each["seed"] == task.get("seed", 0)
            if seeds
            else (each["split"], each["index"]) == wanted
        )
        if mine:
            return {key: each[key] for key in keys}
    if seeds:
        return {"split": None, "index": places[0]["index"], "seed": task.get("seed", 0)}
    return None


def recorded_scripts(files: Sequence[Path], tasks: Sequence[ScriptedTask]) -> list[Scripted]:
    """Return the actions of recorded trajectories as scripts.

    Raises SkillToolsError if no trajectory plays a known task.
    """
    by_place = {(task.split, task.index): task for task in tasks}
    found = []
    for file in files:
        for number, each in enumerate(read(file)):
            task = by_place.get((each.split or "", each.index or 0))
            if task is None:
                continue
            calls = [
                (s.tool, dict(s.arguments)) for s in each.steps if isinstance(s.arguments, Mapping)
            ]
            found.append(_script(f"recorded/{file.stem}/{number}", task, calls))
    if files and not found:
        raise SkillToolsError(
            f"the trajectories in {', '.join(map(str, files))} play no task that both environments have"
        )
    return found


def write_round(
    spec: EnvSpec,
    tasks: Sequence[ScriptedTask],
    number: int,
    shown: Sequence[str],
    frontier: Frontier,
    *,
    reseed: bool,
) -> Iterator[Scripted]:
    """Yield the scripts of a round. The first round includes solutions, the beginnings of solutions, and silence.

    Args:
        spec: The environment's spec.
        tasks: The tasks to compare.
        number: The round's number, from 0.
        shown: Texts that the environments showed, from which random arguments are drawn.
        frontier: Scripts to extend.
        reseed: Whether later rounds use other seeds of the world.
    """
    player, most = _RandomPlayer(spec, shown), spec.episode.most_calls
    for task in tasks:
        rng = random.Random(f"{task.split}/{task.index}/{number}")
        name = f"{task.split}/{task.index}/{number}"
        if number == 0:
            yield _script(f"oracle/{name}", task, task.solution)
            yield _script(f"early_stop/{name}", task, task.solution[: len(task.solution) // 2])
            yield _script(f"noop/{name}", task, [(MESSAGE, {"text": ""})] if spec.message else [])
            for way, calls in enumerate(_dressed(task.solution)):
                yield _script(f"dressed/{name}/{way}", task, calls)
        elif reseed:
            task = _reseeded(task, number)
        length = rng.randint(1, min(spec.episode.max_turns, LONGEST))
        yield _script(f"random/{name}", task, [player.call(rng) for _ in range(length)])
        kept = rng.randint(0, len(task.solution))
        tail = [player.call(rng) for _ in range(min(length, 8))]
        rest = task.solution[kept:]
        yield _script(f"mixed/{name}", task, [*task.solution[:kept], *tail, *rest][:most])
        for part, left_out in (("a", 0.0), ("b", LEFT_OUT)):
            if found := frontier.pick(task.split, task.index, rng):
                # Some actions may be left out: what came before need not have mattered.
                begun = [call for call in found.calls if rng.random() >= left_out]
                further = [player.call(rng) for _ in range(rng.randint(1, 6))]
                yield _script(f"extended/{name}{part}", task, [*begun, *further][:most])
        edges = [player.boundary(rng) for _ in range(6)]
        yield _script(f"boundary/{name}", task, [*task.solution[:kept], *edges, *rest][:most])


def _dressed(solution: Sequence[Call]) -> Iterator[list[Call]]:
    """Yield copies of a solution with variations of its last message."""
    text = solution[-1][1].get("text") if solution and solution[-1][0] == MESSAGE else None
    if isinstance(text, str) and text:
        for other in (f" {text}\n", text.swapcase(), f"{text} {text}", text[:-1], f"{text}."):
            last: Call = (MESSAGE, {"text": other})
            yield [*solution[:-1], last]


def _reseeded(task: ScriptedTask, number: int) -> ScriptedTask:
    seed = (task.seed or 0) + 1_000 * number
    place = {**task.place, "seed": seed} if task.place else {}
    return ScriptedTask(task.split, task.index, seed, place, task.solution, task.texts)


def _script(key: str, task: ScriptedTask, calls: Sequence[Call]) -> Scripted:
    return Scripted(
        key=key,
        split=task.split,
        index=task.index,
        seed=task.seed,
        place=dict(task.place),
        calls=list(calls),
    )


class _RandomPlayer:
    """A player that draws actions that the schemas allow, and actions at or just beyond their bounds."""

    def __init__(self, spec: EnvSpec, shown: Sequence[str]) -> None:
        self.rules = {each["name"]: each["parameters"] for each in spec.tool_rules()}
        self.names = [*spec.tools, *([MESSAGE] if spec.message else [])]
        prompt = [{"role": "user", "content": text} for text in shown]
        self.samples = spoken(prompt) or ["yes"]

    def call(self, rng: random.Random) -> Call:
        """Return an action with arguments from the schema, some of which are replaced with texts from ``shown``."""
        name = rng.choice(self.names)
        arguments = arguments_of(self.rules[name], rng)
        for key, value in arguments.items():
            drawn = rng.choice(self.samples)
            fits = Draft202012Validator(self.rules[name]["properties"][key]).is_valid(drawn)
            if isinstance(value, str) and fits and rng.random() < 0.7:
                arguments[key] = drawn
        return name, arguments

    def boundary(self, rng: random.Random) -> Call:
        """Return an action with one argument that is at its bound or not allowed."""
        name = rng.choice(self.names)
        rules = self.rules[name]
        arguments = arguments_of(rules, rng)
        if name == MESSAGE:
            return name, {"text": rng.choice(EDGES)}
        if not arguments:
            return name, arguments
        key = rng.choice(list(arguments))
        schema = rules["properties"][key]
        bounds = [schema[b] for b in ("minimum", "maximum") if b in schema]
        length = [schema["minLength"]] if "minLength" in schema else []
        edges = [*bounds, *("x" * each for each in length), *bad_values(schema)]
        return name, {**arguments, key: rng.choice(edges)}
