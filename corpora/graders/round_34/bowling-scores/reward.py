"""Ten-pin bowling: running score after every frame."""
import json
import re

BLOCK = re.compile(r"<scores>(.*?)</scores>", re.DOTALL | re.IGNORECASE)


def rolls_of(frames):
    """Flatten the frame strings to pins per roll, with the index of each frame's first roll."""
    pins, starts = [], []
    for frame in frames:
        starts.append(len(pins))
        fresh = 10
        for mark in frame:
            if mark == "X":
                hit = 10
            elif mark == "/":
                hit = fresh
            elif mark == "-":
                hit = 0
            else:
                hit = int(mark)
            pins.append(hit)
            fresh -= hit
            if fresh <= 0:
                fresh = 10
    return pins, starts


def running_scores(frames):
    pins, starts = rolls_of(frames)
    total, out = 0, []
    for number, (frame, at) in enumerate(zip(frames, starts), 1):
        if number == 10:
            total += sum(pins[at:])
        elif frame == "X" or frame.endswith("/"):
            total += sum(pins[at:at + 3])
        else:
            total += sum(pins[at:at + 2])
        out.append(total)
    return out


def parse_scores(completion):
    blocks = BLOCK.findall(completion)
    if not blocks:
        return None
    try:
        value = json.loads(blocks[-1].strip())
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, list) or len(value) != 10:
        return None
    if any(type(v) is not int for v in value):
        return None
    return value


def reward(completion, frames, **row):
    given = parse_scores(completion)
    if given is None:
        return 0.0
    truth = running_scores(frames.split())
    right = sum(g == t for g, t in zip(given, truth))
    if right == 10:
        return 1.0
    return round(0.05 * right, 2)
