"""Grader for class schedules: any timetable that meets all the rules is right."""
import json
import re

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri")
SLOT = re.compile(r"(Mon|Tue|Wed|Thu|Fri)\s+([1-9])")


def last_object(completion):
    """The last fenced block as a JSON object, or None."""
    blocks = re.findall(r"^[ \t]*```[ \t]*\w*[ \t]*\n(.*?)^[ \t]*```", completion, flags=re.S | re.M)
    if not blocks:
        return None
    try:
        value = json.loads(blocks[-1])
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def parse_slot(text):
    """'Mon 2' -> ('Mon', 2), or None."""
    match = SLOT.fullmatch(text.strip()) if isinstance(text, str) else None
    return (match.group(1), int(match.group(2))) if match else None


def read_plan(reply, classes, slots, rooms):
    """{class: (slot, room)} when every class has one allowed slot and room, else None."""
    if set(reply) != set(classes):
        return None
    offered = {tuple(slot) for slot in slots}
    plan = {}
    for name, entry in reply.items():
        if not isinstance(entry, dict):
            return None
        slot, room = parse_slot(entry.get("slot")), entry.get("room")
        if slot not in offered or not isinstance(room, str) or room not in rooms:
            return None
        plan[name] = (slot, room)
    return plan


def no_clash(plan, classes):
    """No teacher, group or room is used twice in a slot."""
    seen = set()
    for name, (slot, room) in plan.items():
        for user in (("teacher", classes[name]["teacher"]), ("group", classes[name]["group"]), ("room", room)):
            if (slot, user) in seen:
                return False
            seen.add((slot, user))
    return True


def everyone_free(plan, classes, unavailable):
    for name, (slot, _) in plan.items():
        if slot in unavailable.get(classes[name]["teacher"], []):
            return False
    return True


def fits(plan, classes, rooms):
    return all(rooms[room] >= classes[name]["size"] for name, (_, room) in plan.items())


def in_order(plan, before):
    def rank(name):
        day, period = plan[name][0]
        return DAYS.index(day), period
    return all(rank(first) < rank(second) for first, second in before)


def reward(completion, classes, slots, rooms, unavailable, before, **row) -> float:
    reply = last_object(completion)
    if reply is None:
        return 0.0
    plan = read_plan(reply, classes, slots, rooms)
    if plan is None:
        return 0.0
    rules = (no_clash(plan, classes), everyone_free(plan, classes, unavailable),
             fits(plan, classes, rooms), in_order(plan, before))
    return 1.0 if all(rules) else 0.0
