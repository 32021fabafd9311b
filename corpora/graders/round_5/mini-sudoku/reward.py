"""4x4 sudoku, '.' is an empty cell. A puzzle may have several solutions; all of them count.

1.0  clues kept, rows, columns and 2x2 boxes right
0.5  clues kept, rows and columns right, at least one box wrong (announced in the prompt)
0.0  otherwise
"""
import re

FULL = {"1", "2", "3", "4"}


def read_grid(reply):
    reply = reply.rsplit("</think>", 1)[-1]
    blocks = re.findall(r"```[a-z]*[ \t]*\r?\n(.*?)```", reply, re.DOTALL)
    if len(blocks) != 1 or reply.count("```") != 2:
        return None
    lines = [l.split() for l in blocks[0].splitlines() if l.strip()]
    if len(lines) != 4:
        return None
    if any(len(l) != 4 or not set(l) <= FULL for l in lines):
        return None
    return lines


def sudoku_reward(reply, row):
    grid = read_grid(reply)
    if grid is None:
        return 0.0
    for got, clue in zip(grid, row["puzzle"]):
        if any(c != "." and c != g for g, c in zip(got, clue)):
            return 0.0
    if any(set(r) != FULL for r in grid) or any(set(c) != FULL for c in zip(*grid)):
        return 0.0
    for r in (0, 2):
        for c in (0, 2):
            if {grid[r][c], grid[r][c + 1], grid[r + 1][c], grid[r + 1][c + 1]} != FULL:
                return 0.5
    return 1.0
