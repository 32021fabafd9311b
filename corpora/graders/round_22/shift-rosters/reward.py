"""Reward for shift rosters: any roster that keeps every rule is right."""
import re
from collections import Counter

LINE = re.compile(r"(mon|tue|wed|thu|fri|sat|sun)\s+(early|late)\s*:\s*(.*)", re.IGNORECASE)
FENCE = re.compile(r"```[^\n`]*\n(.*?)```", re.DOTALL)


class Violation(Exception):
    """A rule is broken or the roster cannot be read."""


def roster_text(completion):
    blocks = FENCE.findall(completion)
    if not blocks:
        raise Violation("no code block")
    return blocks[-1]


def parse_roster(text, people):
    known = {p.lower(): p for p in people}
    roster = {}
    for raw in text.split("\n"):
        line = raw.strip()
        if not line:
            continue
        m = LINE.fullmatch(line)
        if not m:
            raise Violation("unreadable line: " + line)
        slot = (m.group(1).capitalize(), m.group(2).lower())
        if slot in roster:
            raise Violation("slot twice")
        names = [n.strip().lower() for n in m.group(3).split(",")]
        if any(n not in known for n in names):
            raise Violation("unknown name")
        roster[slot] = [known[n] for n in names]
    return roster


def check_slots(roster, days, staff):
    wanted = {(d, s) for d in days for s in ("early", "late")}
    if set(roster) != wanted:
        raise Violation("slots")
    for (_, shift), names in roster.items():
        if len(names) != staff[shift] or len(set(names)) != len(names):
            raise Violation("staffing")


def check_people(roster, days, away):
    for day in days:
        both = roster[day, "early"] + roster[day, "late"]
        if len(set(both)) != len(both):
            raise Violation("two shifts on one day")
        if any(day in away.get(p, []) for p in both):
            raise Violation("away")
    for today, tomorrow in zip(days, days[1:]):
        if set(roster[today, "late"]) & set(roster[tomorrow, "early"]):
            raise Violation("early after late")


def check_load(roster, low, high):
    load = Counter(p for names in roster.values() for p in names)
    for person, shifts in load.items():
        if not low <= shifts <= high:
            raise Violation(f"{person} has {shifts} shifts")


def check_apart(roster, apart):
    for names in roster.values():
        for a, b in apart:
            if a in names and b in names:
                raise Violation("pair on one shift")


def reward(completion, people, days, staff, away, low, high, apart, **row):
    try:
        roster = parse_roster(roster_text(completion), people)
        check_slots(roster, days, staff)
        check_people(roster, days, away)
        check_load(roster, low, high)
        check_apart(roster, apart)
    except Violation:
        return 0.0
    return 1.0
