"""Final state of an open-addressing hash table after a series of insertions."""
import re

LABEL = re.compile(r"\s*table\s*:\s*(.*?)\s*", re.IGNORECASE)
EMPTY = {"-", "_", "\u2013", "\u2014", "none", "null", "empty"}

_tables = {}


def probe(key, i, size, method):
    home = key % size
    if method == "linear":
        return (home + i) % size
    if method == "quadratic":
        return (home + i * i) % size
    if method == "double":
        return (home + i * (1 + key % (size - 1))) % size
    raise ValueError(method)


def simulate(keys, size, method):
    slots = [None] * size
    for key in keys:
        for i in range(size):
            at = probe(key, i, size, method)
            if slots[at] is None or slots[at] == key:
                slots[at] = key
                break
        else:
            raise ValueError(f"no slot for {key}")
    return tuple(slots)


def final_table(keys, size, method):
    """Every row is graded once per sample of its group, so the simulation is kept."""
    spot = (size, tuple(keys))
    if spot not in _tables:
        _tables[spot] = simulate(keys, size, method)
    return _tables[spot]


def parse_table(completion):
    found = None
    for line in completion.replace("**", "").splitlines():
        match = LABEL.fullmatch(line)
        if match:
            found = match.group(1).strip("`").strip()
    if not found:
        return None
    if found.startswith("[") and found.endswith("]"):
        found = found[1:-1]
    slots = []
    for cell in found.split(","):
        cell = cell.strip().strip("'\"").lower()
        if cell in EMPTY:
            slots.append(None)
        elif re.fullmatch(r"\d+", cell):
            slots.append(int(cell))
        else:
            return None
    return tuple(slots)


def reward(completion, keys, size, method, **row):
    slots = parse_table(completion)
    if slots is None or len(slots) != size:
        return 0.0
    return 1.0 if slots == final_table(keys, size, method) else 0.0
