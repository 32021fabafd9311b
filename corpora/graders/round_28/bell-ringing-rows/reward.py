"""Change ringing: write out the rows produced by a piece of place notation."""
import re

BLOCK = re.compile(r"<rows>(.*?)</rows>", re.S | re.I)


def split_notation(notation):
    """'x.14.x' -> [set(), {1, 4}, set()]; a change is the set of places made."""
    changes = []
    for token in notation.split("."):
        token = token.strip()
        changes.append(set() if token == "x" else {int(ch) for ch in token})
    return changes


def apply_change(row, places):
    """Bells in `places` stay, all the others swap with their neighbour."""
    row = list(row)
    pos = 0
    while pos < len(row):
        if pos + 1 in places:
            pos += 1
            continue
        row[pos], row[pos + 1] = row[pos + 1], row[pos]
        pos += 2
    return row


def ring(start, notation):
    row = [int(ch) for ch in start]
    rows = []
    for places in split_notation(notation):
        row = apply_change(row, places)
        rows.append("".join(map(str, row)))
    return rows


def read_rows(completion):
    blocks = BLOCK.findall(completion)
    if not blocks:
        return None
    rows = []
    for line in blocks[-1].splitlines():
        line = line.strip()
        if not line:
            continue
        if not re.fullmatch(r"[1-8](?:[ \t]*[1-8])*", line):
            return None
        rows.append(re.sub(r"[ \t]", "", line))
    return rows


def reward(completion, start, notation, **row) -> float:
    if not isinstance(completion, str):
        return 0.0
    given = read_rows(completion)
    if given is None:
        return 0.0
    truth = ring(start, notation)
    if len(given) != len(truth):
        return 0.0
    good = 0
    for a, b in zip(given, truth):
        if a != b:
            break
        good += 1
    if good == len(truth):
        return 1.0
    return 0.5 * good / len(truth)
