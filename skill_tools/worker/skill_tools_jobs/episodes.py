"""Bare episodes: opening them, playing scripts or random calls, and recording them."""

import importlib
import json
import math
import random
import types
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from skill_tools_jobs import Calls, Json, Played, Request

if TYPE_CHECKING:
    from rl_env_harness import episode

    Episode = episode.Episode
else:
    Episode = object  # it is the environment's own, imported by name

OPENING = ("split", "index", "seed", "max_turns")


def splits(request: Request) -> Mapping[str, Sequence[Json]]:
    """Return the environment's tasks, keyed by split."""
    tasks: Mapping[str, Sequence[Json]] = module(request, "_shared.task_table").TASKS
    return tasks


def task_at(request: Request, split: str, index: int) -> Json:
    """Return a copy of one task."""
    task: Json = module(request, "_shared.task_table").task_at(split, index)
    return task


def module(request: Request, name: str) -> types.ModuleType:
    """Return one of the environment's own modules."""
    return importlib.import_module(f"{request['package']}.{name}")


def play(request: Request, episodes: list[Json]) -> list[Played]:
    """Play scripts on bare episodes, which take turns, and return the records.

    A single episode is played alone. Several episodes share the process, and must not affect each other.
    """
    opened = [open_episode(request, **{k: e[k] for k in OPENING}) for e in episodes]
    failures: dict[int, dict[str, str]] = {}
    scripts = [list(e["script"]) for e in episodes]
    final = [0.0] * len(episodes)
    for turn in range(max(map(len, scripts), default=0)):
        for number, (world, script) in enumerate(zip(opened, scripts, strict=True)):
            if turn >= len(script) or world.over:
                continue
            try:
                for tool, arguments in script[turn]:
                    world.call(tool, arguments)
                if not script[turn]:
                    final[number] = world.end()
            except RuntimeError:
                # EpisodeFailed: only this episode's record is lost, not the others'.
                if len(episodes) == 1:
                    raise
                failures[number] = {"kind": "EpisodeFailed", "message": str(world.failure)}
    for number, world in enumerate(opened):
        if not world.over:
            final[number] = world.end()
        world.close()
    records = [record(w, f) for w, f in zip(opened, final, strict=True)]
    if module(request, "_shared.env_spec").OFFER:
        for world, found in zip(opened, records, strict=True):
            found["offered"] = world.tools
    for number, failure in failures.items():
        records[number] |= {"end": "failed", "failure": failure, "return": None, "metrics": None}
    return records


def open_episode(
    request: Request, split: str, index: int, seed: int | None, max_turns: int
) -> Episode:
    """Open a bare episode with the environment's rendered modules."""
    task = task_at(request, split, index)
    kind: type[Episode] = module(request, "_shared.episode").Episode
    return kind(task, seed, max_turns)


def text_of(request: Request, world: Episode) -> str:
    """Return the text of an episode's opening messages, without pictures."""
    said = module(request, "_shared.blocks").said
    return "\n".join(map(said, world.prompt))


def settled(request: Request, result: Any) -> Any:
    """Return the result of an author's function. If the function is `async def`, await the result first."""
    return module(request, "_shared.returned").settled(result)


def record(world: Episode, final_reward: float) -> Played:
    """Return the record of an episode, with the fields of a trajectory."""
    stopped = not (world.steps and world.steps[-1]["done"])
    return {
        "prompt": world.prompt,
        "steps": world.steps,
        "final_reward": final_reward,
        "return": world.total,
        "metrics": world.record().get("metrics"),
        "requests": world.requests or None,
        "end": "stopped" if stopped else "truncated" if world.truncated else "terminated",
    }


def solve(request: Request, split: str, index: int, seed: int | None = None) -> Calls:
    """Return the author's solution of one task as [[tool, arguments], ...]."""
    task = task_at(request, split, index)
    oracle = getattr(module(request, request["oracle"][0]), request["oracle"][1])
    actions = settled(request, oracle(task, int(task.get("seed", 0)) if seed is None else seed))
    return _as_json([list(as_call(action)) for action in actions])


def best(request: Request, split: str, index: int, seed: int | None = None) -> float:
    """Return a task's maximum return, from the function ``best`` in the module of the author's oracle."""
    task = task_at(request, split, index)
    name = request["oracle"][0]
    say = getattr(module(request, name), "best", None)
    if say is None:
        raise AttributeError(f"{name}.py has no best(task, seed), which reward.best requires")
    said = settled(request, say(task, int(task.get("seed", 0)) if seed is None else seed))
    if isinstance(said, bool) or not isinstance(said, int | float) or not math.isfinite(said):
        raise TypeError(f"best(task, seed) returned {said!r}, which is not a number")
    return float(said)


def wander(request: Request, split: str, index: int, max_turns: int) -> Calls | None:
    """Return the calls of one episode of random valid calls. Return None if the domain does not list valid calls."""
    domain = module(request, request["domain"][0])
    if not hasattr(getattr(domain, request["domain"][1], None), "valid_calls"):
        return None
    try:
        world = open_episode(request, split, index, None, max_turns)
    except RuntimeError:
        return None  # the policies run into it, too, and it is reported there
    try:
        stroll(request, world, random.Random(f"0/{split}/{index}"))
    except RuntimeError:
        if not world.failure:
            raise
    finally:
        world.close()
    return _as_json([[step["tool"], step["arguments"]] for step in world.steps])


def _as_json(calls: list[list[Any]]) -> Calls:
    return cast(Calls, json.loads(json.dumps(calls, allow_nan=False)))


def stroll(request: Request, world: Episode, chance: random.Random) -> None:
    """Make random valid calls until the episode ends."""
    while not world.over and (calls := offered(request, world)):
        tool, arguments = chance.choice(calls)
        world.call(tool, arguments)


def offered(request: Request, world: Episode) -> Calls:
    """Return the calls that the domain accepts in its current state."""
    return [as_call(each) for each in settled(request, world._world.valid_calls())]


def as_call(action: Any) -> tuple[str, Json]:
    """Return an author's action as (tool, arguments). The author wrote such a pair, or {"message": text}."""
    if isinstance(action, dict):
        if set(action) != {"message"} or not isinstance(action["message"], str):
            raise TypeError(
                f"an action is (tool, arguments) or {{'message': text}}, not {action!r}"
            )
        return "message", {"text": action["message"]}
    tool, arguments = action
    return tool, dict(arguments)


JOBS = {"solve": solve, "best": best, "wander": wander, "play": play}
