"""Reward for amigurumi patterns: stitch count of every round, and which rounds do not fit."""
import re

# stitch -> (stitches of the previous round worked into, stitches made)
STITCHES = {
    "sc": (1, 1),
    "hdc": (1, 1),
    "inc": (1, 2),
    "inc3": (1, 3),
    "dec": (2, 1),
    "sk": (1, 0),
}
TOKEN = re.compile(r"\s*(\[|\]|,|[a-z]+3?|\d+)")
ANSWER = re.compile(r"COUNTS:(?P<counts>[^|]*)\|\s*MISFITS:(?P<misfits>[^|]*)", re.IGNORECASE)


def tokenize(text):
    pos, out = 0, []
    text = text.strip()
    while pos < len(text):
        m = TOKEN.match(text, pos)
        if not m:
            raise ValueError(f"bad pattern text at {pos}: {text!r}")
        out.append(m.group(1))
        pos = m.end()
    return out


def parse_items(tokens, i):
    """Parse a comma-separated run of items; returns (used, made, next index)."""
    used = made = 0
    while True:
        if tokens[i] == "[":
            u, m, i = parse_items(tokens, i + 1)
            if tokens[i] != "]" or tokens[i + 1] != "x":
                raise ValueError("a bracket needs its repeat count")
            times = int(tokens[i + 2])
            i += 3
        else:
            u, m = STITCHES[tokens[i]]
            i += 1
            times = 1
            if i < len(tokens) and tokens[i].isdigit():
                times = int(tokens[i])
                i += 1
        used += u * times
        made += m * times
        if i < len(tokens) and tokens[i] == ",":
            i += 1
            continue
        return used, made, i


def work(ring, rounds):
    counts, misfits = [ring], set()
    for number, text in enumerate(rounds, start=2):
        tokens = tokenize(text)
        used, made, end = parse_items(tokens, 0)
        if end != len(tokens):
            raise ValueError(f"trailing text in round {number}")
        if used != counts[-1]:
            misfits.add(number)
        counts.append(made)
    return counts, misfits


def int_list(text):
    """'6, 12 18' -> [6, 12, 18]; None when anything else is in there."""
    parts = [p for p in re.split(r"[,\s]+", text.strip()) if p]
    if not parts or not all(re.fullmatch(r"[0-9]{1,6}", p) for p in parts):
        return None
    return [int(p) for p in parts]


def read_answer(completion):
    line = None
    for raw in completion.splitlines():
        candidate = raw.replace("*", "").replace("`", "").strip()
        if candidate.upper().startswith("COUNTS:"):
            line = candidate
    if line is None:
        return None
    m = ANSWER.fullmatch(line.rstrip("."))
    if not m:
        return None
    counts = int_list(m["counts"])
    if m["misfits"].strip().lower() == "none":
        misfits = set()
    else:
        listed = int_list(m["misfits"])
        misfits = None if listed is None else set(listed)
    return counts, misfits


def reward(completion, ring, rounds, **row) -> float:
    answer = read_answer(completion)
    if answer is None:
        return 0.0
    counts, misfits = work(ring, rounds)
    if answer[0] != counts:
        return 0.0
    return 1.0 if answer[1] == misfits else 0.5
