"""Project networks: duration, one critical path, total float of a named activity."""
import re

WEIGHTS = {"duration": 0.4, "critical": 0.4, "float": 0.2}


def schedule(activities):
    """Forward and backward pass. Returns the duration and the total float of every activity."""
    early = {}

    def finish(name):
        if name not in early:
            spec = activities[name]
            start = max((finish(p) for p in spec["after"]), default=0)
            early[name] = start + spec["days"]
        return early[name]

    duration = max(finish(name) for name in activities)
    late = {}

    def latest(name):
        if name not in late:
            followers = [n for n, spec in activities.items() if name in spec["after"]]
            late[name] = min((latest(n) - activities[n]["days"] for n in followers), default=duration)
        return late[name]

    return duration, {name: latest(name) - early[name] for name in activities}


def read_fields(text):
    fields = {}
    for line in text.splitlines():
        line = line.replace("*", "").replace("`", "").strip()
        match = re.match(r"(duration|critical|float)\s*:\s*(.*)$", line, re.I)
        if match:
            fields[match.group(1).lower()] = match.group(2).strip()
    return fields


def whole_days(text):
    match = re.fullmatch(r"([0-9]{1,6})\s*(?:days?)?\.?", text, re.I)
    return int(match.group(1)) if match else None


def is_critical(text, activities, duration):
    """One unbroken chain of activities, each a direct predecessor of the next, as long as the project."""
    names = [n.upper() for n in re.split(r"\s*(?:->|→|[-–>,])\s*|\s+", text.rstrip(". ")) if n]
    if not names or any(n not in activities for n in names):
        return False
    for before, after in zip(names, names[1:]):
        if before not in activities[after]["after"]:
            return False
    return sum(activities[n]["days"] for n in names) == duration


def reward(completion, activities, ask_float, **row):
    fields = read_fields(completion)
    duration, floats = schedule(activities)
    score = 0.0
    if "duration" in fields and whole_days(fields["duration"]) == duration:
        score += WEIGHTS["duration"]
    if "critical" in fields and is_critical(fields["critical"], activities, duration):
        score += WEIGHTS["critical"]
    if "float" in fields and whole_days(fields["float"]) == floats[ask_float]:
        score += WEIGHTS["float"]
    return round(score, 4)
