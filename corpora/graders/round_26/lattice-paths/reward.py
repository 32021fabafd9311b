"""Paths through a grid with walls; shorter paths score higher."""
import re

STEPS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}
PATH = re.compile(r"^[\s*_`>-]*PATH[*_`\s]*:(.*)$", re.IGNORECASE)


def parse_moves(completion):
    """Letters of the last PATH line; None if the line is missing or not clean."""
    text = None
    for line in completion.splitlines():
        match = PATH.match(line)
        if match:
            text = match.group(1)
    if text is None:
        return None
    moves = re.sub(r"[\s,*_`]+", "", text).rstrip(".").upper()
    if not moves or any(m not in STEPS for m in moves):
        return None
    return moves


def locate(grid, mark):
    for r, line in enumerate(grid):
        c = line.find(mark)
        if c >= 0:
            return r, c
    raise ValueError(f"no {mark} in grid")


def last_cell(grid, moves):
    """The cell on which the walk ends, None if it is not a legal walk."""
    r, c = locate(grid, "S")
    cell = "S"
    for move in moves:
        dr, dc = STEPS[move]
        r, c = r + dr, c + dc
        try:
            cell = grid[r][c]
        except IndexError:
            return None
        if cell == "#":
            return None
    return cell


def reward(completion, grid, shortest, **row):
    moves = parse_moves(completion or "")
    if moves is None:
        return 0.0
    if last_cell(grid, moves) != "G":
        return 0.0
    return min(1.0, shortest / len(moves))
