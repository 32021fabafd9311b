"""Grades a calendar by the wishes of a dialogue; any calendar that fulfils them is right."""

import json
import re
from itertools import pairwise

BLOCK = re.compile(r"^```json[ \t]*\n(.*?)^```[ \t]*$", re.DOTALL | re.MULTILINE)
CLOCK = re.compile(r"(\d{2}):([0-5]\d)")
FIRST, LAST = 600, 960
"""The day in minutes from midnight."""


class InvalidAction(Exception):
    """Never raised: every message is graded."""


def minutes_of(clock: str) -> int | None:
    """The minutes from midnight of a time such as 10:30; None for anything else."""
    found = CLOCK.fullmatch(clock) if isinstance(clock, str) else None
    return int(found[1]) * 60 + int(found[2]) if found else None


def read(text: str) -> dict[int, tuple[int, int]] | None:
    """The calendar of a message: start and length by event; None if it has none in the right form."""
    blocks = BLOCK.findall(text)
    if len(blocks) != 1 or text.count("```") != 2:
        return None
    try:
        listed = json.loads(blocks[0])
    except ValueError:
        return None
    found: dict[int, tuple[int, int]] = {}
    for each in listed if isinstance(listed, list) else [None]:
        if not isinstance(each, dict) or set(each) != {"event", "start", "minutes"}:
            return None
        start = minutes_of(each["start"])
        whole = all(type(each[key]) is int for key in ("event", "minutes"))
        if start is None or not whole or each["event"] in found:
            return None
        found[each["event"]] = (start, each["minutes"])
    return found


def holds(wish: dict, calendar: dict[int, tuple[int, int]]) -> bool:
    """Whether an event is where a wish wants it: not before, or over by a time."""
    start, length = calendar[wish["event"]]
    limit = minutes_of(wish["time"])
    return start >= limit if wish["kind"] == "from" else start + length <= limit


def is_right(wishes: list[dict], lengths: dict[int, int], calendar: dict | None) -> bool:
    """Whether a calendar has every event with its length, no overlap, and all wishes."""
    if calendar is None or {event: length for event, (_, length) in calendar.items()} != lengths:
        return False
    times = sorted((start, start + length) for start, length in calendar.values())
    inside = all(start >= FIRST and end <= LAST for start, end in times)
    apart = all(first[1] <= second[0] for first, second in pairwise(times))
    return inside and apart and all(holds(wish, calendar) for wish in wishes)


class CalendarTalk:
    """One dialogue, one answer."""

    def __init__(self, task: dict, seed: int) -> None:
        self.wishes = task["wishes"]
        self.lengths = {int(event): length for event, length in task["lengths"].items()}
        self.reward, self.done = 0.0, False

    def message(self, text: str) -> str:
        """Grade a calendar."""
        self.done = True
        self.reward = float(is_right(self.wishes, self.lengths, read(text)))
        return "The day is planned."
