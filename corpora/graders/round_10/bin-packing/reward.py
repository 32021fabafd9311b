"""Bin packing with conflicts. Checks the packing itself, so every valid one counts."""
import re

BIN_LINE = re.compile(r"^\s*(?:[-*]\s+)?\**bin\s+(\d+)\**\s*:\**(.*)$", re.I)


def _answer_part(text):
    """The lines after the last line that says ANSWER and nothing else."""
    lines = text.splitlines()
    marks = [i for i, l in enumerate(lines) if l.strip().strip("*#:").strip() == "ANSWER"]
    return lines[marks[-1] + 1:] if marks else None


def _parse(lines):
    bins = {}
    for line in lines:
        if not line.strip():
            continue
        m = BIN_LINE.match(line)
        if not m:
            return None
        number = int(m.group(1))
        if number in bins:
            return None
        body = re.sub(r"\([^()]*\)", "", m.group(2))      # weights in brackets are optional
        names = [n.strip(" .*").lower() for n in body.split(",")]
        bins[number] = [n for n in names if n]
    return bins


def reward(completion, weights, capacity, max_bins, conflicts=(), **_):
    lines = _answer_part(completion)
    if lines is None:
        return 0.0
    bins = _parse(lines)
    if not bins or len(bins) > max_bins:
        return 0.0

    packed = [n for content in bins.values() for n in content]
    if sorted(packed) != sorted(weights):          # each item once, none invented
        return 0.0
    for content in bins.values():
        if sum(weights[n] for n in content) > capacity:
            return 0.0
        for x, y in conflicts:
            if x in content and y in content:
                return 0.0
    return 1.0
