"""Cheapest walks on a hexagonal board (axial coordinates)."""
import heapq
import re

STEPS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
BLOCK = re.compile(r"<path>((?:(?!<path>).)*?)</path>", re.S)
CELL = r"\(\s*[-\u2212]?[0-9]{1,3}\s*,\s*[-\u2212]?[0-9]{1,3}\s*\)"
SEP = r"(?:\s*(?:->|\u2192|,)\s*|\s+)"
PATH = re.compile(rf"{CELL}(?:{SEP}{CELL})*")
PAIR = re.compile(r"\(\s*([-\u2212]?[0-9]+)\s*,\s*([-\u2212]?[0-9]+)\s*\)")
SWAMP_COST = 3
LEGAL_CREDIT = 0.3


def on_board(cell, radius):
    q, r = cell
    return max(abs(q), abs(r), abs(q + r)) <= radius


def cheapest(radius, blocked, swamp, start, goal):
    """Least total entering cost from start to goal, or None."""
    best = {start: 0}
    heap = [(0, start)]
    while heap:
        cost, cell = heapq.heappop(heap)
        if cell == goal:
            return cost
        if cost > best[cell]:
            continue
        for dq, dr in STEPS:
            nxt = (cell[0] + dq, cell[1] + dr)
            if not on_board(nxt, radius) or nxt in blocked:
                continue
            new = cost + (SWAMP_COST if nxt in swamp else 1)
            if new < best.get(nxt, float("inf")):
                best[nxt] = new
                heapq.heappush(heap, (new, nxt))
    return None


def read_reply(completion):
    """'none', a list of cells, or None if there is no readable block."""
    blocks = BLOCK.findall(completion)
    if not blocks:
        return None
    text = blocks[-1].strip()
    if text.lower() == "none":
        return "none"
    if not PATH.fullmatch(text):
        return None
    return [tuple(int(n.replace("\u2212", "-")) for n in pair) for pair in PAIR.findall(text)]


def walk_cost(cells, radius, blocked, swamp):
    """Cost of the walk, or None when a move is illegal."""
    if len(set(cells)) != len(cells):
        return None
    for cell in cells:
        if not on_board(cell, radius) or cell in blocked:
            return None
    total = 0
    for (q0, r0), (q1, r1) in zip(cells, cells[1:]):
        if (q1 - q0, r1 - r0) not in STEPS:
            return None
        total += SWAMP_COST if (q1, r1) in swamp else 1
    return total


def reward(completion, radius, blocked, swamp, start, goal, **row) -> float:
    blocked = {tuple(c) for c in blocked}
    swamp = {tuple(c) for c in swamp}
    start, goal = tuple(start), tuple(goal)
    reply = read_reply(completion)
    if reply is None:
        return 0.0
    best = cheapest(radius, blocked, swamp, start, goal)
    if best is None:
        return 1.0 if reply == "none" else 0.0
    if reply == "none" or reply[0] != start or reply[-1] != goal:
        return 0.0
    cost = walk_cost(reply, radius, blocked, swamp)
    if cost is None:
        return 0.0
    return 1.0 if cost == best else LEGAL_CREDIT
