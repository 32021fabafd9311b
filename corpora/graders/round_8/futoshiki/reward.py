"""Reward for 4x4 Futoshiki: any grid that obeys every rule is right."""
import re

SIZE = 4
GRID = re.compile(r"<grid>(.*?)</grid>", re.DOTALL)
ROW = re.compile(r"[1-4](?:[ \t]+[1-4]){3}")


def parse_grid(text):
    """The last <grid> block as a list of rows of ints, or None."""
    blocks = GRID.findall(text)
    if not blocks:
        return None
    lines = [line.strip() for line in blocks[-1].strip().splitlines()]
    if len(lines) != SIZE or not all(ROW.fullmatch(line) for line in lines):
        return None
    return [[int(cell) for cell in line.split()] for line in lines]


def is_latin(grid):
    wanted = set(range(1, SIZE + 1))
    rows_ok = all(set(row) == wanted for row in grid)
    columns_ok = all(set(column) == wanted for column in zip(*grid))
    return rows_ok and columns_ok


def keeps_givens(grid, givens):
    return all(
        given in (0, cell)
        for row, given_row in zip(grid, givens)
        for cell, given in zip(row, given_row)
    )


def keeps_signs(grid, less_than):
    """less_than holds [r1, c1, r2, c2], counted from 1: the first cell is smaller."""
    return all(grid[r1 - 1][c1 - 1] < grid[r2 - 1][c2 - 1] for r1, c1, r2, c2 in less_than)


def reward(completions, givens, less_than, **kwargs):
    scores = []
    for completion, given, signs in zip(completions, givens, less_than):
        grid = parse_grid(completion)
        ok = (
            grid is not None
            and is_latin(grid)
            and keeps_givens(grid, given)
            and keeps_signs(grid, signs)
        )
        scores.append(1.0 if ok else 0.0)
    return scores
