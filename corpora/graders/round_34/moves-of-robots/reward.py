"""Drive a robot over a map with walls and numbered stations."""
import re

BLOCK = re.compile(r"<moves>(.*?)</moves>", re.DOTALL | re.IGNORECASE)
STEP = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}
WORDS = {"UP": "U", "DOWN": "D", "LEFT": "L", "RIGHT": "R"}
WALL, START, GOAL = "#", "S", "G"


def parse_moves(completion):
    """The last <moves> block as a list of U, D, L, R."""
    blocks = BLOCK.findall(completion)
    if not blocks:
        return None
    moves = []
    for token in re.split(r"[\s,]+", blocks[-1].strip().upper()):
        if token in WORDS:
            moves.append(WORDS[token])
        elif token and set(token) <= set(STEP):
            moves.extend(token)
        else:
            return None
    return moves


def locate(grid, mark):
    for r, line in enumerate(grid):
        if mark in line:
            return r, line.index(mark)
    raise ValueError(f"no {mark} on the map")


def drive(grid, moves):
    """Follow the moves; return the last cell and the number of stations served in order.

    None when the robot bumps into a wall or runs off the map.
    """
    r, c = locate(grid, START)
    cell, served = START, 0
    for move in moves:
        dr, dc = STEP[move]
        r, c = r + dr, c + dc
        try:
            cell = grid[r][c]
        except IndexError:
            return None
        if cell == WALL:
            return None
        if cell == str(served + 1):
            served += 1
    return cell, served


def reward(completion, grid, stations, limit, **row):
    moves = parse_moves(completion)
    if not moves or len(moves) > limit:
        return 0.0
    result = drive(grid, moves)
    if result is None:
        return 0.0
    cell, served = result
    if cell == GOAL and served == stations:
        return 1.0
    return 0.0
