"""Exact postage from a drawer of stamps, with as few stamps as possible."""
import re

LINE = re.compile(r"^[ \t]*stamps:(.*)$", re.IGNORECASE | re.MULTILINE)
ITEM = re.compile(r"^([0-9]{1,5})\s*[x\u00d7]\s*([0-9]{1,5})\s*[c\u00a2]?$", re.IGNORECASE)
NOT_EXACT = 0.0
NOT_FEWEST = 0.4


def fewest(drawer, total):
    """Smallest number of stamps adding up to total, or None."""
    best = {0: 0}
    for value, stock in drawer:
        step = {}
        for amount, used in best.items():
            for k in range(stock + 1):
                reach = amount + k * value
                if reach > total:
                    break
                if reach not in step or step[reach] > used + k:
                    step[reach] = used + k
        best = step
    return best.get(total)


def answer_line(text):
    found = LINE.findall(text.replace("*", ""))
    if not found:
        return None
    line = found[-1].strip()
    return line[:-1].rstrip() if line.endswith(".") else line


def parse_choice(line):
    """Map of stamp value to count; None when the line is not a list of items."""
    chosen = {}
    for part in line.split(","):
        match = ITEM.match(part.strip())
        if match is None:
            return None
        count, value = int(match.group(1)), int(match.group(2))
        if count == 0:
            return None
        chosen[value] = chosen.get(value, 0) + count
    return chosen


def reward(completion, drawer, total, **row):
    line = answer_line(completion)
    if line is None:
        return 0.0
    least = fewest(drawer, total)
    if line.lower() == "none":
        return 1.0 if least is None else 0.0
    chosen = parse_choice(line)
    if chosen is None:
        return 0.0
    stock = {value: count for value, count in drawer}
    for value, count in chosen.items():
        if count > stock.get(value, 0):
            return 0.0
    if sum(value * count for value, count in chosen.items()) != total:
        return NOT_EXACT
    return 1.0 if sum(chosen.values()) == least else NOT_FEWEST
