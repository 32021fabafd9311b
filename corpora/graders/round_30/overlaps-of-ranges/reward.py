"""Overlaps, unions and differences of time ranges on one day."""
import re

DAY = 24 * 60
SLOT = re.compile(r"(\d{1,2}):(\d{2})\s*(?:-|\u2013|\u2014|to)\s*(\d{1,2}):(\d{2})", re.IGNORECASE)
LABEL = re.compile(r"\s*slots\s*:\s*(.*?)\s*", re.IGNORECASE)


def minutes(hours, mins):
    hours, mins = int(hours), int(mins)
    if hours > 23 or mins > 59:
        return None
    return 60 * hours + mins


def mask(ranges):
    """One flag per minute of the day; a range covers its start but not its end."""
    free = [False] * DAY
    for begin, end in ranges:
        first, last = minutes(*begin.split(":")), minutes(*end.split(":"))
        free[first:last] = [True] * (last - first)
    return free


def true_slots(people, mode, least):
    masks = [mask(ranges) for ranges in people]
    if mode == "all":
        flags = [all(col) for col in zip(*masks)]
    elif mode == "any":
        flags = [any(col) for col in zip(*masks)]
    elif mode == "first_only":
        flags = [col[0] and not any(col[1:]) for col in zip(*masks)]
    else:
        raise ValueError(mode)
    slots, begin = set(), None
    for t, flag in enumerate(flags + [False]):
        if flag and begin is None:
            begin = t
        elif not flag and begin is not None:
            if t - begin >= least:
                slots.add((begin, t))
            begin = None
    return slots


def parse_slots(completion):
    lines = [ln for ln in completion.replace("**", "").splitlines() if ln.strip()]
    found = LABEL.fullmatch(lines[-1]) if lines else None
    if not found:
        return None
    text = found.group(1).rstrip(".").strip()
    if text.lower() == "none":
        return []
    slots = []
    for piece in re.split(r"[,;]", text):
        match = SLOT.fullmatch(piece.strip())
        if not match:
            return None
        begin, end = minutes(*match.group(1, 2)), minutes(*match.group(3, 4))
        if begin is None or end is None or begin >= end:
            return None
        slots.append((begin, end))
    return slots


def reward(completion, people, mode, least, **row):
    given = parse_slots(completion)
    if given is None or len(set(given)) != len(given):
        return 0.0
    return 1.0 if set(given) == true_slots(people, mode, least) else 0.0
