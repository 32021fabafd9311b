"""River crossings: the plan is simulated, then compared with the shortest one."""
import re
from collections import deque
from itertools import combinations

PLAN = re.compile(r"<plan>(.*?)</plan>", re.S | re.I)
STEP = re.compile(r"(?:[0-9]+[.)]\s*)?(over|back)\s*:\s*(.+)", re.I)


def safe(bank, conflicts):
    """A bank without the rower must not hold a conflicting pair."""
    return not any(a in bank and b in bank for a, b in conflicts)


def loads(bank, weights, seats, limit):
    """All sets of passengers that the boat can take from a bank."""
    for size in range(seats + 1):
        for group in combinations(sorted(bank), size):
            if sum(weights[x] for x in group) <= limit:
                yield frozenset(group)


def cross(left, on_left, group, everything, conflicts):
    """State after one crossing, or None if the bank left behind is unsafe."""
    new_left = left - group if on_left else left | group
    behind = new_left if on_left else everything - new_left
    return (new_left, not on_left) if safe(behind, conflicts) else None


def fewest_crossings(weights, conflicts, seats, limit):
    """Length of the shortest plan; None if there is no plan."""
    everything = frozenset(weights)
    start = (everything, True)
    depth, queue = {start: 0}, deque([start])
    while queue:
        state = queue.popleft()
        left, on_left = state
        if not left and not on_left:
            return depth[state]
        bank = left if on_left else everything - left
        for group in loads(bank, weights, seats, limit):
            after = cross(left, on_left, group, everything, conflicts)
            if after and after not in depth:
                depth[after] = depth[state] + 1
                queue.append(after)
    return None


def parse_plan(text):
    """List of (direction, passengers); None if a line cannot be read."""
    steps = []
    for line in filter(None, map(str.strip, text.splitlines())):
        found = STEP.fullmatch(line)
        if not found:
            return None
        cargo = found.group(2).strip().rstrip(".").casefold()
        names = [] if cargo == "nobody" else [" ".join(n.split()) for n in cargo.split(",")]
        if len(set(names)) != len(names):
            return None
        steps.append((found.group(1).lower(), frozenset(names)))
    return steps


def carries_all(steps, weights, conflicts, seats, limit):
    everything = frozenset(weights)
    left, on_left = everything, True
    for direction, group in steps:
        bank = left if on_left else everything - left
        if direction != ("over" if on_left else "back") or not group <= bank:
            return False
        if len(group) > seats or sum(weights[x] for x in group) > limit:
            return False
        after = cross(left, on_left, group, everything, conflicts)
        if after is None:
            return False
        left, on_left = after
    return not left and not on_left


def reward(completion, weights, conflicts, seats, limit, **row):
    blocks = PLAN.findall(completion)
    if not blocks:
        return 0.0
    best = fewest_crossings(weights, conflicts, seats, limit)
    text = blocks[-1].strip()
    if text.rstrip(".").casefold() == "impossible":
        return 1.0 if best is None else 0.0
    steps = parse_plan(text)
    if not steps or not carries_all(steps, weights, conflicts, seats, limit):
        return 0.0
    return 1.0 if len(steps) == best else 0.5
