"""Put historical events in order of time."""
import re

LINE = re.compile(r"^[ \t]*order:(.*)$", re.IGNORECASE | re.MULTILINE)
SEPARATOR = re.compile(r"\s*(?:,|;|<|-+>|=+>|\u2192|\s)\s*")


def parse_order(completion):
    """Letters of the last "Order:" line, in the order given."""
    found = LINE.findall(completion.replace("*", ""))
    if not found:
        return None
    line = found[-1].strip().upper()
    if line.endswith("."):
        line = line[:-1].rstrip()
    letters = SEPARATOR.split(line)
    if any(len(token) != 1 or not token.isalpha() for token in letters):
        return None
    return letters


def common_subsequence(one, two):
    """Length of the longest common subsequence."""
    previous = [0] * (len(two) + 1)
    for a in one:
        current = [0]
        for j, b in enumerate(two, 1):
            if a == b:
                current.append(previous[j - 1] + 1)
            else:
                current.append(max(previous[j], current[-1]))
        previous = current
    return previous[-1]


def reward(completion, order, **row):
    letters = parse_order(completion)
    if letters is None:
        return 0.0
    truth = list(order)
    if set(letters) != set(truth):
        return 0.0
    in_order = common_subsequence(letters, truth)
    if in_order == len(truth):
        return 1.0
    return round(0.5 * in_order / len(truth), 4)
