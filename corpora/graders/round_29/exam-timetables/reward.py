"""Validates an exam timetable: any plan that keeps all the rules is accepted."""
import json
import re
from collections import defaultdict

FENCE = re.compile(r"```json[ \t]*\n(.*?)```", re.S | re.I)


def clean(text):
    return " ".join(str(text).split()).lower()


def load_plan(completion):
    blocks = FENCE.findall(completion)
    if not blocks:
        return None
    try:
        data = json.loads(blocks[-1])
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict):
        return None
    plan = {}
    for exam, place in data.items():
        if not isinstance(place, dict) or "slot" not in place or "room" not in place:
            return None
        key = clean(exam)
        if key in plan:
            return None
        plan[key] = (clean(place["slot"]), clean(place["room"]))
    return plan


def names_known(plan, exams, slots, rooms):
    if set(plan) != {clean(e) for e in exams}:
        return False
    slot_names = {clean(s) for s in slots}
    room_names = {clean(r) for r in rooms}
    return all(s in slot_names and r in room_names for s, r in plan.values())


def clash_free(plan, exams):
    """No student may sit two papers in one slot."""
    sitting = set()
    for exam, students in exams.items():
        slot, _ = plan[clean(exam)]
        for student in students:
            if (student, slot) in sitting:
                return False
            sitting.add((student, slot))
    return True


def seats_suffice(plan, exams, rooms):
    """Exams may share a room in a slot while everybody has a seat."""
    load = defaultdict(int)
    for exam, students in exams.items():
        load[plan[clean(exam)]] += len(students)
    for (slot, room), seated in load.items():
        if seated > rooms.get(room, seated):
            return False
    return True


def order_kept(plan, before, slots):
    rank = {clean(s): i for i, s in enumerate(slots)}
    return all(rank[plan[clean(a)][0]] < rank[plan[clean(b)][0]] for a, b in before)


def reward(completion, exams, slots, rooms, before, **row):
    plan = load_plan(completion)
    if plan is None or not names_known(plan, exams, slots, rooms):
        return 0.0
    if not clash_free(plan, exams):
        return 0.0
    if not seats_suffice(plan, exams, rooms):
        return 0.0
    if not order_kept(plan, before, slots):
        return 0.0
    return 1.0
