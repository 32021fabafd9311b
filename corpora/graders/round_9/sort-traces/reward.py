"""Reward for hand-traced sorting algorithms (list after every pass)."""
import re

BLOCK_RE = re.compile(r"<trace>(.*?)</trace>", re.DOTALL | re.IGNORECASE)
LINE_RE = re.compile(r"^\s*(?:(?:pass|step)?\s*\d+\s*[:.)]\s*)?\[\s*(-?\d+(?:\s*,\s*-?\d+)*)\s*\]\s*$", re.IGNORECASE)

_EXPECTED = {}


def bubble(values):
    """One line per pass over the unsorted part; stop after a pass without a swap."""
    a, lines, end = list(values), [], len(values) - 1
    while True:
        swapped = False
        for i in range(end):
            if a[i] > a[i + 1]:
                a[i], a[i + 1] = a[i + 1], a[i]
                swapped = True
        lines.append(list(a))
        end -= 1
        if not swapped:
            return lines


def selection(values):
    """One line per position 1..n-1 after the minimum has been swapped there."""
    a, lines = list(values), []
    for i in range(len(a) - 1):
        j = min(range(i, len(a)), key=lambda k: a[k])
        a[i], a[j] = a[j], a[i]
        lines.append(list(a))
    return lines


def insertion(values):
    """One line per inserted element, from the second to the last."""
    a, lines = list(values), []
    for i in range(1, len(a)):
        x, j = a[i], i - 1
        while j >= 0 and a[j] > x:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = x
        lines.append(list(a))
    return lines


ALGORITHMS = {"bubble": bubble, "selection": selection, "insertion": insertion}


def expected_trace(list_id, algorithm, start):
    # rollouts come in groups of 16 per prompt, so keep the traces
    if list_id not in _EXPECTED:
        _EXPECTED[list_id] = ALGORITHMS[algorithm](start)
    return _EXPECTED[list_id]


def parse_trace(completion):
    blocks = BLOCK_RE.findall(completion)
    if not blocks:
        return None
    lines = []
    for line in blocks[-1].strip().splitlines():
        if not line.strip():
            continue
        m = LINE_RE.match(line)
        if not m:
            return None
        lines.append([int(x) for x in m.group(1).split(",")])
    return lines


def reward(completion, list_id, algorithm, start, **row):
    got = parse_trace(completion)
    if not got:
        return 0.0
    return 1.0 if got == expected_trace(list_id, algorithm, start) else 0.0
