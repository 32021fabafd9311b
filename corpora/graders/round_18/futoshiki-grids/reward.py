"""Reward for futoshiki puzzles: Latin squares with greater/less signs between cells."""
import operator
import re

BLOCK = re.compile(r"<grid>((?:(?!</?grid>).)*)</grid>", re.S | re.I)
RULE = re.compile(r"r(\d)c(\d)\s*([<>])\s*r(\d)c(\d)")
SIGNS = {"<": operator.lt, ">": operator.gt}


def read_grid(completion, size):
    """Rows of digits from the last block; None unless it is size by size."""
    blocks = BLOCK.findall(completion)
    if not blocks:
        return None
    rows = []
    for line in blocks[-1].strip().splitlines():
        cells = [c for c in re.split(r"[\s,|]+", line.strip()) if c]
        if len(cells) != size or not all(re.fullmatch(r"[1-9]", c) for c in cells):
            return None
        rows.append([int(c) for c in cells])
    return rows if len(rows) == size else None


def parse_rules(rules):
    """Signs by their left-hand cell: {(row, col): (test, (row, col))}, counted from zero."""
    parsed = {}
    for rule in rules:
        match = RULE.fullmatch(rule.strip())
        if not match:
            raise ValueError(f"bad rule {rule!r}")
        r1, c1, sign, r2, c2 = match.groups()
        left = (int(r1) - 1, int(c1) - 1)
        right = (int(r2) - 1, int(c2) - 1)
        parsed[left] = (SIGNS[sign], right)
    return parsed


def is_latin(grid, size):
    full = set(range(1, size + 1))
    return (all(set(row) == full for row in grid)
            and all(set(col) == full for col in zip(*grid)))


def keeps_givens(grid, givens):
    for line, row in zip(givens, grid):
        for mark, value in zip(line, row):
            if mark != "." and int(mark) != value:
                return False
    return True


def keeps_rules(grid, rules):
    for (r1, c1), (test, (r2, c2)) in parse_rules(rules).items():
        if not test(grid[r1][c1], grid[r2][c2]):
            return False
    return True


def reward(completion, size, givens, rules, **row):
    grid = read_grid(completion, size)
    if grid is None:
        return 0.0
    ok = is_latin(grid, size) and keeps_givens(grid, givens) and keeps_rules(grid, rules)
    return 1.0 if ok else 0.0
