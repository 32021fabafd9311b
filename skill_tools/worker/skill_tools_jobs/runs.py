"""Play scripts in addition to the policies' scripts; runs in the child process.

Each job has limits (see ``deadline``). The result of a script is None if there is no time for it.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from call_trace import Trace

from skill_tools_jobs import Call, Calls, Json, Played, Request
from skill_tools_jobs.deadline import Deadline, Limit, clock
from skill_tools_jobs.episodes import (
    Episode,
    best,
    open_episode,
    record,
    settled,
    solve,
    task_at,
)
from skill_tools_jobs.roles import replying


def try_scripts(
    request: Request, trials: list[Json], max_turns: int, limit: Limit
) -> list[Played | None]:
    """Play scripts, each in its own episode, and return a record per script."""
    left = Deadline(**limit)
    return [play_alone(request, max_turns, **trial) if left else None for trial in trials]


def trace_scripts(request: Request, trials: list[Json], max_turns: int, limit: Limit) -> list[Any]:
    """Play scripts, each in its own episode, and return the steps of the author's code for each script (see
    ``call_trace``). A script for which no time is left has no steps."""
    left, traces = Deadline(**limit), [Trace(Path(request["folder"])) for _ in trials]
    for trial, trace in zip(trials, traces, strict=True):
        if left:
            with trace.recording():
                play_alone(request, max_turns, **trial)
    return [each.steps for each in traces]


def play_alone(
    request: Request,
    max_turns: int,
    split: str,
    index: int,
    seed: int | None,
    calls: Calls,
    then: Calls | None = None,
    roles: Json | None = None,
) -> Played:
    """Play calls one by one until the episode ends, at the latest after the last call.

    Args:
        then: Calls to try on the bare world after the episode's end, in addition to the remaining calls.
        roles: The replies of models inside the environment in place of their stand-ins' replies. The record has
            requests to these models only if ``roles`` is given.
    """
    with replying(request, roles):
        found = _play_alone(request, max_turns, split, index, seed, [*calls], [*(then or [])])
    return found if roles is not None else {**found, "requests": None}


def _play_alone(
    request: Request,
    max_turns: int,
    split: str,
    index: int,
    seed: int | None,
    calls: list[Call],
    then: list[Call],
) -> Played:
    slowest, final, failure = 0.0, 0.0, None
    try:
        world = open_episode(request, split, index, seed, max_turns)
    except RuntimeError as error:
        return {"steps": [], **_failed(str(error)), "slowest": 0.0}
    try:
        for tool, arguments in calls:
            if world.over:
                break
            began = clock()
            world.call(tool, arguments)
            slowest = max(slowest, clock() - began)
        if not world.over:
            final = world.end()
    except RuntimeError:
        failure = world.failure
    after = "" if failure or world.truncated else _after_end(request, world, [*calls, *then])
    world.close()
    found = brief(record(world, final)) | {"slowest": slowest, "after": after}
    return found | (_failed(failure) if failure else {})


def top_of(request: Request, split: str, index: int, top: float) -> float | None:
    """Return a task's maximum return: ``top``, or the author's value for the task. Return None if the author's code
    fails."""
    if not request.get("by_task"):
        return top
    try:
        return best(request, split, index)
    except Exception:  # noqa: BLE001 - the oracle's episode there reports exceptions of the author's code
        return None


def _after_end(request: Request, world: Episode, calls: Calls) -> str:
    """Return how calls after the episode's end change the bare domain, or "" if they have no effect."""
    bare = world._world
    if bare is None or not getattr(bare, "done", False) or not world.steps or len(calls) > 400:
        return ""
    before = bare.reward
    # No model is asked for a message after the end, so a world need not refuse one.
    late = [call for call in [*calls[len(world.steps) :], calls[-1]] if call[0] != "message"]
    for tool, arguments in late[:8]:
        try:
            settled(request, world.method(tool)(**arguments))
        except Exception:  # noqa: BLE001, S112 - any kind of refusal is right
            continue
        call = f"{tool}({json.dumps(arguments)[:80]})"
        if bare.reward != before:
            return f"{call} changed the return from {before:g} to {bare.reward:g}"
        if not bare.done:
            return f"{call} set done back to false"
    return ""


def _failed(message: str) -> Played:
    return {
        "end": "failed",
        "failure": {"kind": "EpisodeFailed", "message": message},
        "return": None,
    }


def brief(found: Played) -> Played:
    """Return an episode's record with a checksum in place of each picture."""
    return {**found, "steps": [_brief(step) for step in found["steps"]]}


def _brief(step: Json) -> Json:
    shown = [
        block if block["type"] == "text" else {"type": "text", "text": f"[image {checksum(block)}]"}
        for block in step["observation"]
    ]
    return {**step, "observation": shown}


def checksum(value: object) -> str:
    """Return a short digest, which is equal for equal data."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()[:16]


def solve_alone(
    request: Request,
    split: str,
    index: int,
    seed: int | None,
    max_turns: int,
    *,
    kept: bool = False,
    top: float | None = None,
) -> Json:
    """Return the oracle's episode on one task and seed. Its steps are included if ``kept`` is true.

    The steps are also included if the return is below ``top``, or below the task's own maximum.
    """
    place: Json = {"split": split, "index": index, "seed": seed}
    try:
        calls = solve(request, split, index, seed)
        if request.get("by_task"):
            place["best"] = best(request, split, index, seed)
    except Exception as error:  # noqa: BLE001 - any exception of the author's code is a result
        return {
            **place,
            **_failed(f"the oracle failed: {type(error).__name__}: {error}"),
            "steps": 0,
        }
    found = play_alone(request, max_turns, split, index, seed, calls)
    top = None if top is None else place.get("best", top)
    kept = kept or (top is not None and (found["return"] is None or found["return"] < top - 1e-9))
    return {
        **place,
        "steps": len(found["steps"]),
        "refused": next((_answer(step) for step in found["steps"] if step["error"] in REFUSED), ""),
        "calls": checksum(
            [[step["tool"], step["arguments"], step["observation"]] for step in found["steps"]]
        ),
        **{k: found.get(k) for k in ("end", "return", "failure")},
        **({"played": found} if kept else {}),
    }


MOST_KEPT = 30
"""Maximum oracle episodes to keep because of their returns; only a few of them are reported."""
REFUSED = ("invalid_arguments", "invalid_action")


def _answer(step: Json) -> str:
    said = " ".join(block.get("text", "") for block in step["observation"])
    return f"{step['tool']}({json.dumps(step['arguments'])[:120]}) is refused: {said[:160]}"


def solve_seeds(
    request: Request,
    split: str,
    count: int,
    offsets: list[int],
    top: float,
    max_turns: int,
    limit: Limit,
) -> list[Json]:
    """Play the oracle on the first tasks of a split, under seeds other than the tasks' own.

    Some episodes with a return below ``top`` are kept.
    """
    left, found = Deadline(**limit), list[Json]()
    for offset in offsets:
        for index in range(count):
            if left:
                seed = int(task_at(request, split, index).get("seed", 0)) + offset
                least = top if sum("played" in each for each in found) < MOST_KEPT else None
                found.append(solve_alone(request, split, index, seed, max_turns, top=least))
    return found


JOBS = {"try": try_scripts, "trace": trace_scripts, "solve_seeds": solve_seeds}
