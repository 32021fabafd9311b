"""Room bookings: a plan must be feasible, and is then rated by its revenue."""
import json
import re
from functools import lru_cache


def minutes(clock):
    hours, mins = clock.split(":")
    return int(hours) * 60 + int(mins)


def unique_keys(pairs):
    keys = [k for k, _ in pairs]
    if len(keys) != len(set(keys)):
        raise ValueError("repeated key")
    return dict(pairs)


def read_plan(completion):
    """The object in the last <plan> pair as {room: [ids]}, or None."""
    found = re.findall(r"<plan>(.*?)</plan>", completion, re.S)
    if not found:
        return None
    text = re.sub(r"^\s*```\w*\s*|\s*```\s*$", "", found[-1])
    try:
        plan = json.loads(text, object_pairs_hook=unique_keys)
    except (ValueError, RecursionError):
        return None
    if not isinstance(plan, dict) or not all(isinstance(v, list) for v in plan.values()):
        return None
    if not all(isinstance(i, str) for ids in plan.values() for i in ids):
        return None
    return plan


def revenue(plan, requests, rooms, gap):
    """Total fee of the plan, or None when it breaks a rule."""
    seen, total = set(), 0
    for room, ids in plan.items():
        if room not in rooms:
            return None
        booked = []
        for rid in ids:
            if rid not in requests or rid in seen:
                return None
            seen.add(rid)
            request = requests[rid]
            if request["people"] > rooms[room]:
                return None
            booked.append((minutes(request["start"]), minutes(request["end"])))
            total += request["fee"]
        booked.sort()
        for (_, end), (start, _) in zip(booked, booked[1:]):
            if start < end + gap:
                return None
    return total


def best_revenue(requests, rooms, gap):
    """Highest revenue over all feasible plans, by dynamic programming over start times."""
    queue = sorted(
        (minutes(r["start"]), minutes(r["end"]), r["people"], r["fee"]) for r in requests.values()
    )
    seats = list(rooms.values())

    @lru_cache(maxsize=None)
    def best(i, free_from):
        if i == len(queue):
            return 0
        start, end, people, fee = queue[i]
        top = best(i + 1, free_from)
        for k, free in enumerate(free_from):
            if people <= seats[k] and free <= start:
                later = free_from[:k] + (end + gap,) + free_from[k + 1:]
                top = max(top, fee + best(i + 1, later))
        return top

    return best(0, (0,) * len(seats))


def reward(completion, requests, rooms, gap, **row):
    plan = read_plan(completion)
    if plan is None:
        return 0.0
    by_id = {r["id"]: r for r in requests}
    got = revenue(plan, by_id, rooms, gap)
    if got is None:
        return 0.0
    best = best_revenue(by_id, rooms, gap)
    if got == best:
        return 1.0
    return 0.5 if got * 10 >= best * 9 else 0.0
