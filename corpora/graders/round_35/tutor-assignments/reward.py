"""Assigning pupils to tutors and hours: rules on subject, free hours, load and clashes."""
import re
from collections import Counter

PLAN = re.compile(r"<plan>((?:(?!<plan>).)*?)</plan>", re.S)
LINE = re.compile(r"(?P<pupil>[A-Za-z]+)\s*:\s*(?P<tutor>[A-Za-z]+)\s*,\s*(?P<hour>[A-Za-z]{3}\s*[0-9])")


def norm_hour(text):
    day, number = re.fullmatch(r"([A-Za-z]{3})\s*([0-9])", text.strip()).groups()
    return f"{day.capitalize()} {number}"


def parse_plan(completion):
    """List of (pupil, tutor, hour), or None if the block is missing or a line is malformed."""
    blocks = PLAN.findall(completion)
    if not blocks:
        return None
    entries = []
    for raw in blocks[-1].splitlines():
        if not raw.strip():
            continue
        match = LINE.fullmatch(raw.strip())
        if match is None:
            return None
        entries.append((match["pupil"], match["tutor"], norm_hour(match["hour"])))
    return entries


def breaks_rules(entries, pupils, tutors):
    """Rules about the plan as a whole: known names, one lesson per pupil, no clash, no overload."""
    if any(p not in pupils or t not in tutors for p, t, _ in entries):
        return True
    if max(Counter(p for p, _, _ in entries).values()) > 1:
        return True
    if max(Counter((t, h) for _, t, h in entries).values()) > 1:
        return True
    load = Counter(t for _, t, _ in entries)
    return any(load[t] > tutors[t]["max"] for t in load)


def fits(entry, pupils, tutors):
    """Does the lesson suit both sides: subject taught, hour free for pupil and tutor?"""
    pupil, tutor, hour = entry
    return (
        pupils[pupil]["subject"] in tutors[tutor]["subjects"]
        and hour in pupils[pupil]["free"]
        and hour in tutors[tutor]["free"]
    )


def reward(completion, pupils, tutors, **row) -> float:
    entries = parse_plan(completion)
    if not entries:
        return 0.0
    if breaks_rules(entries, pupils, tutors):
        return 0.0
    good = sum(fits(e, pupils, tutors) for e in entries)
    return good / len(entries)
