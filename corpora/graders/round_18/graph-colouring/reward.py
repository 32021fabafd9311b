"""Reward for colouring small conflict graphs with as few groups as possible."""
import re

BLOCK = re.compile(r"<colouring>((?:(?!</?colouring>).)*)</colouring>", re.S | re.I)
LINE = re.compile(r"(?:[-*]\s+)?(.+?)\s*(?::|=|->|\u2192)\s*(\S.*)")
ONE_TOO_MANY = 0.4


def fold(text):
    return " ".join(text.split()).casefold()


def read_colouring(completion):
    """Mapping vertex -> colour of the last block; None if a line cannot be read or repeats a vertex."""
    blocks = BLOCK.findall(completion)
    if not blocks:
        return None
    colours = {}
    for line in blocks[-1].splitlines():
        if not line.strip():
            continue
        match = LINE.fullmatch(line.strip())
        if not match:
            return None
        vertex = fold(match.group(1))
        if vertex in colours:
            return None
        colours[vertex] = fold(match.group(2))
    return colours


def colourable(vertices, neighbours, k):
    """Backtracking; a vertex may open at most one new colour, which removes the symmetry."""
    assigned = {}

    def place(i, used):
        if i == len(vertices):
            return True
        vertex = vertices[i]
        taken = {assigned[n] for n in neighbours[vertex] if n in assigned}
        for colour in range(min(used + 1, k)):
            if colour in taken:
                continue
            assigned[vertex] = colour
            if place(i + 1, max(used, colour + 1)):
                return True
            del assigned[vertex]
        return False

    return place(0, 0)


def chromatic_number(vertices, edges):
    neighbours = {v: set() for v in vertices}
    for a, b in edges:
        neighbours[a].add(b)
        neighbours[b].add(a)
    order = sorted(vertices, key=lambda v: -len(neighbours[v]))
    k = 1
    while not colourable(order, neighbours, k):
        k += 1
    return k


def reward(completion, vertices, edges, **row):
    colours = read_colouring(completion)
    names = [fold(v) for v in vertices]
    pairs = [(fold(a), fold(b)) for a, b in edges]
    if colours is None or set(colours) != set(names):
        return 0.0
    if any(colours[a] == colours[b] for a, b in pairs):
        return 0.0
    excess = len(set(colours.values())) - chromatic_number(names, pairs)
    if excess == 0:
        return 1.0
    return ONE_TOO_MANY if excess == 1 else 0.0
