"""Partly filled magic squares. Every completion that obeys the rules counts."""
import re

TAG = re.compile(r"<square>(.*?)</square>", re.S | re.I)


def parse_grid(text):
    grid = []
    for line in text.strip().splitlines():
        line = line.strip().strip("`")
        if not line:
            continue
        cells = [c for c in re.split(r"[\s,|\[\]]+", line) if c]
        if not cells:
            continue
        if not all(re.fullmatch(r"[0-9]{1,4}", c) for c in cells):
            return None
        grid.append([int(c) for c in cells])
    return grid


def is_magic(grid, n):
    target = sum(grid[0])
    rows = [sum(r) for r in grid]
    cols = [sum(grid[i][j] for i in range(n)) for j in range(n)]
    diag = [sum(grid[i][i] for i in range(n)), sum(grid[i][n - 1 - i] for i in range(n))]
    return all(s == target for s in rows + cols + diag)


def reward(completion, given, first, **_):
    """given: n x n with null for blanks; the numbers first .. first+n*n-1 are each used once."""
    found = TAG.findall(completion)
    if not found:
        return 0.0
    grid = parse_grid(found[-1])
    n = len(given)
    if grid is None or len(grid) != n or any(len(r) != n for r in grid):
        return 0.0
    for i in range(n):
        for j in range(n):
            if given[i][j] is not None and grid[i][j] != given[i][j]:
                return 0.0
    if sorted(v for r in grid for v in r) != list(range(first, first + n * n)):
        return 0.0
    return 1.0 if is_magic(grid, n) else 0.0
