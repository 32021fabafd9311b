"""Completion of magic and semi-magic squares: any valid completion counts."""
import re

HEAD = re.compile(r"#{0,6}\s*square:", re.IGNORECASE)


def read_grid(completion, size):
    """The grid under the last heading as a list of rows, or None."""
    lines = [ln.strip() for ln in completion.replace("**", "").splitlines()]
    starts = [i for i, ln in enumerate(lines) if HEAD.fullmatch(ln)]
    if not starts:
        return None
    body = [ln for ln in lines[starts[-1] + 1:] if ln and not re.fullmatch(r"```\w*", ln)]
    if len(body) != size:
        return None
    grid = []
    for line in body:
        cells = [c for c in re.split(r"[\s,|]+", line) if c]
        if len(cells) != size or not all(re.fullmatch(r"\d+", c) for c in cells):
            return None
        grid.append([int(c) for c in cells])
    return grid


def keeps_givens(grid, puzzle):
    return all(
        want is None or have == want
        for have_row, want_row in zip(grid, puzzle)
        for have, want in zip(have_row, want_row)
    )


def line_sums(grid):
    size = len(grid)
    straight = [sum(r) for r in grid] + [sum(c) for c in zip(*grid)]
    diagonal = [
        sum(grid[i][i] for i in range(size)),
        sum(grid[i][size - 1 - i] for i in range(size)),
    ]
    return straight, diagonal


def reward(completion, puzzle, numbers, diagonals, **row):
    grid = read_grid(completion, len(puzzle))
    if grid is None or not keeps_givens(grid, puzzle):
        return 0.0
    if sorted(v for r in grid for v in r) != sorted(numbers):
        return 0.0
    straight, diagonal = line_sums(grid)
    if len(set(straight)) != 1:
        return 0.0
    if not diagonals or set(diagonal) == set(straight):
        return 1.0
    return 0.4
