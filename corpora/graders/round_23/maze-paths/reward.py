"""Maze navigation: replay the moves of a reply on the grid."""
import re

STEPS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}
WORDS = {"UP": "U", "DOWN": "D", "LEFT": "L", "RIGHT": "R"}
TAG = re.compile(r"<moves>((?:(?!<moves>).)*?)</moves>", re.DOTALL | re.IGNORECASE)


def find(grid, mark):
    for r, line in enumerate(grid):
        c = line.find(mark)
        if c != -1:
            return r, c
    raise ValueError(f"no {mark} in the maze")


def parse_moves(completion):
    """Letters with or without separators, or the words up/down/left/right; None if unreadable."""
    blocks = TAG.findall(completion)
    if not blocks:
        return None
    moves = []
    for token in re.split(r"[\s,;>-]+", blocks[-1].strip().upper()):
        if not token:
            continue
        if token in WORDS:
            moves.append(WORDS[token])
        elif set(token) <= set(STEPS):
            moves.extend(token)
        else:
            return None
    return moves


def replay(grid, moves):
    """True when the walk stays on floor cells and ends on the exit."""
    r, c = find(grid, "S")
    keys = set()
    for move in moves:
        dr, dc = STEPS[move]
        r, c = r + dr, c + dc
        try:
            cell = grid[r][c]
        except IndexError:
            return False
        if cell == "#":
            return False
        if cell.islower():
            keys.add(cell)
        elif cell in "ABC" and cell.lower() not in keys:
            return False
    return grid[r][c] == "E"


def reward(completion, maze, shortest, **row):
    moves = parse_moves(completion)
    if not moves:
        return 0.0
    grid = maze.splitlines()
    if not replay(grid, moves):
        return 0.0
    if len(moves) <= shortest:
        return 1.0
    return 0.5 if len(moves) <= shortest + 4 else 0.2
