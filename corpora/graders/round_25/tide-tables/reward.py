"""Grader for tidal windows: when does the water first reach a height, and until when.

Between neighbouring turns of the tide the height is interpolated linearly, as
the prompt says. Times are minutes since 00:00 of the first day.
"""
import re

SLACK = 2.0
CLOCK = r"([0-9]{1,2}):([0-9]{2})\s*(\+1)?"
WINDOW = re.compile(CLOCK + r"\s*(?:-|–|—|to)\s*" + CLOCK, re.IGNORECASE)
NONE = "none"


def height_at(turns, minute):
    for (t0, h0), (t1, h1) in zip(turns, turns[1:]):
        if t0 <= minute <= t1:
            return h0 + (h1 - h0) * (minute - t0) / (t1 - t0)
    raise ValueError(f"{minute} lies outside the table")


def crossings(turns, level):
    """(minute, rising) for every time at which the curve passes the level."""
    for (t0, h0), (t1, h1) in zip(turns, turns[1:]):
        if (h0 < level) != (h1 < level):
            yield t0 + (level - h0) * (t1 - t0) / (h1 - h0), h1 > h0


def first_window(turns, level, start):
    """First unbroken stretch at or above the level that begins at or after start."""
    opened = start if height_at(turns, start) >= level else None
    for minute, rising in crossings(turns, level):
        if minute <= start:
            continue
        if opened is None and rising:
            opened = minute
        elif opened is not None and not rising:
            return opened, minute
    return None


def to_minutes(hour, minute, next_day):
    hour, minute = int(hour), int(minute)
    if hour > 23 or minute > 59:
        return None
    return hour * 60 + minute + (1440 if next_day else 0)


def read_answer(completion):
    """'none', a pair of minutes, or None when there is no readable answer line."""
    text = None
    for line in completion.splitlines():
        line = line.replace("*", "").strip()
        if line.lower().startswith("answer:"):
            text = line[len("answer:"):].strip()
    if text is None:
        return None
    if text.lower() == NONE:
        return NONE
    match = WINDOW.fullmatch(text)
    if not match:
        return None
    parts = match.groups()
    return to_minutes(*parts[:3]), to_minutes(*parts[3:])


def reward(completion, turns, level, start, **row) -> float:
    answer = read_answer(completion)
    if answer is None:
        return 0.0
    truth = first_window(turns, level, start)
    if truth is None or answer == NONE:
        return 1.0 if truth is None and answer == NONE else 0.0
    close = [got is not None and abs(got - want) <= SLACK + 1e-9
             for got, want in zip(answer, truth)]
    return sum(close) / 2
