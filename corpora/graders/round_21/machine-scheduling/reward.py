"""Checks a schedule for a handful of tasks on a few machines and grades its makespan."""
import json
import re

MARK = re.compile(r"schedule:", re.IGNORECASE)
FENCE = re.compile(r"^\s*```(?:json)?\s*\n(.*?)\n?\s*```\s*$", re.DOTALL | re.IGNORECASE)
NEAR_CREDIT = 0.5


class BadSchedule(ValueError):
    pass


def _unique(pairs):
    out = {}
    for key, value in pairs:
        if key in out:
            raise BadSchedule(f"task {key} given twice")
        out[key] = value
    return out


def read_schedule(completion):
    marks = list(MARK.finditer(completion))
    if not marks:
        raise BadSchedule("no schedule")
    body = completion[marks[-1].end():]
    fenced = FENCE.match(body)
    if fenced:
        body = fenced.group(1)
    try:
        plan = json.loads(body, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as err:
        raise BadSchedule("not JSON") from err
    if not isinstance(plan, dict):
        raise BadSchedule("not an object")
    return plan


def place(plan, tasks):
    """Turn the raw plan into {task: (machine, start, end)}, checking each entry on its own."""
    if set(plan) != set(tasks):
        raise BadSchedule("wrong set of tasks")
    placed = {}
    for name, entry in plan.items():
        if not isinstance(entry, list) or len(entry) != 2:
            raise BadSchedule(f"{name}: entry is not a pair")
        machine, start = entry
        task = tasks[name]
        if machine not in task["machines"]:
            raise BadSchedule(f"{name} cannot run on {machine}")
        if type(start) is not int or start < task["release"]:
            raise BadSchedule(f"{name}: bad start {start!r}")
        placed[name] = (machine, start, start + task["time"])
    return placed


def check_order(placed, tasks):
    for name, task in tasks.items():
        for earlier in task["after"]:
            if placed[name][1] < placed[earlier][2]:
                raise BadSchedule(f"{name} starts before {earlier} ends")


def check_overlap(placed):
    runs = sorted(placed.values())
    for (machine_a, _, end), (machine_b, start, _) in zip(runs, runs[1:]):
        if machine_a == machine_b and start < end:
            raise BadSchedule(f"overlap on {machine_a}")


def reward(completion, tasks, best, acceptable, **row) -> float:
    try:
        placed = place(read_schedule(completion), tasks)
        check_order(placed, tasks)
        check_overlap(placed)
    except BadSchedule:
        return 0.0
    makespan = max(end for _, _, end in placed.values())
    if makespan <= best:
        return 1.0
    return NEAR_CREDIT if makespan <= acceptable else 0.0
