"""Play legal calls at random, on tasks in every split; runs in the child process."""

import random

from skill_tools_jobs import Calls, Json, Played, Request, runs
from skill_tools_jobs.deadline import Deadline, Limit
from skill_tools_jobs.episodes import Episode, open_episode, record, splits, stroll, task_at
from skill_tools_jobs.survey import every_place, spread


def wander_all(
    request: Request, most: int, drawn: list[Calls], top: float, max_turns: int, limit: Limit
) -> list[Json]:
    """Play random legal calls on tasks in every split, and return the returns.

    For each task, the first episode that reaches ``top`` or the task's own maximum is kept.

    Args:
        drawn: Lists of random calls, each of which is played on all tasks, for a domain that does not list its
            legal calls. Refused calls do not count.
    """
    table, left, found = splits(request), Deadline(**limit), list[Json]()
    won = set()
    places = every_place(table)
    chosen = [places[at] for at in spread(len(places), most)]
    tops = {place: runs.top_of(request, *place, top) for place in chosen}
    for number, calls in enumerate(drawn, 1):
        for split, index in chosen:
            if left:
                played = wander_one(request, split, index, max_turns, number, calls)
                total = played["return"] if played else None
                highest = tops[split, index]
                each: Json = {"split": split, "index": index, "return": total}
                each |= {"best": highest} if request.get("by_task") else {}
                reached = total is not None and highest is not None and total >= highest - 1e-9
                if played and reached and (split, index) not in won:
                    won.add((split, index))
                    each["own"] = int(task_at(request, split, index).get("seed", 0))
                    each["played"] = runs.brief(played)
                found.append(each)
    return found


def wander_one(
    request: Request,
    split: str,
    index: int,
    max_turns: int,
    number: int,
    calls: Calls,
    seed: int | None = None,
) -> Played | None:
    """Play one episode of random legal calls. Return None if it fails, because other policies report failures."""
    chance = random.Random(f"{number}/{split}/{index}")
    try:
        world = open_episode(request, split, index, seed, max_turns)
    except RuntimeError:
        return None
    try:
        if hasattr(world._world, "valid_calls"):
            stroll(request, world, chance)
        else:
            _stroll_among(world, chance.sample(calls, len(calls)))
        final = 0.0 if world.over else world.end()
    except RuntimeError:
        return None
    finally:
        world.close()
    found = record(world, final)
    return {**found, "steps": [step for step in found["steps"] if step["error"] is None]}


def _stroll_among(world: Episode, calls: Calls) -> None:
    """Make the given calls in order until the episode ends. Refused calls do not count as turns."""
    most, accepted = world.max_turns, 0
    world.max_turns += len(calls)
    for tool, arguments in calls:
        if world.over or accepted == most:
            return
        world.refusals = 0
        accepted += world.call(tool, arguments).error is None


JOBS = {"wander_all": wander_all}
