"""Reward for questions on a printed timetable (one line, one direction, one day)."""
import re

ANSWER = re.compile(r"^[ \t*]*Answer:[ \t*]*(.+?)[ \t*.]*$", re.M)
CLOCK = re.compile(r"(\d{1,2})[:.](\d{2})", re.A)
COUNT = re.compile(r"\d+", re.A)


def clock(text):
    """Canonical form of a time of day: 07:05, 7.05 and 7:05 all become 7:05."""
    match = CLOCK.fullmatch(text.strip())
    if not match:
        return None
    hour, minute = int(match.group(1)), int(match.group(2))
    if hour > 23 or minute > 59:
        return None
    return f"{hour}:{minute:02d}"


def runs_of(timetable):
    return [{"dep": clock(run["dep"]), "arr": clock(run["arr"])} for run in timetable]


def latest_arriving_by(runs, limit):
    """Departure of the last train that is there by the limit."""
    usable = [r for r in runs if r["arr"] <= limit]
    return max((r["dep"] for r in usable), default=None)


def first_there(runs, start):
    """Departure of the train that arrives first among those leaving from start on."""
    usable = [r for r in runs if r["dep"] >= start]
    if not usable:
        return None
    return min(usable, key=lambda r: r["arr"])["dep"]


def departures_between(runs, start, end):
    return sum(1 for r in runs if start <= r["dep"] <= end)


def read_answer(completion):
    lines = ANSWER.findall(completion)
    return lines[-1].strip() if lines else None


def reward(completion, timetable, question, **row):
    answer = read_answer(completion)
    if answer is None:
        return 0.0
    runs = runs_of(timetable)
    kind = question["kind"]
    if kind == "count":
        truth = departures_between(runs, clock(question["start"]), clock(question["end"]))
        return 1.0 if COUNT.fullmatch(answer) and int(answer) == truth else 0.0
    if kind == "by":
        truth = latest_arriving_by(runs, clock(question["limit"]))
    elif kind == "from":
        truth = first_there(runs, clock(question["start"]))
    else:
        raise ValueError(f"unknown question {kind!r}")
    said = clock(answer)
    return 1.0 if said is not None and said == truth else 0.0
