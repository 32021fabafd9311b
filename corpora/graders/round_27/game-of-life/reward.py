"""Life-like cellular automata: the grid after some generations, and the number of living cells."""
import re

FENCE = re.compile(r"^[ \t]*```[^\n`]*\n(.*?)^[ \t]*```[ \t]*$", re.S | re.M)
ALIVE = re.compile(r"^[ \t]*alive[ \t]*:[ \t]*([0-9]{1,4})[ \t]*(?:cells?)?[ \t]*\.?[ \t]*$", re.I | re.M)


def parse_rule(rule):
    born, survive = re.fullmatch(r"B(\d*)/S(\d*)", rule).groups()
    return {int(d) for d in born}, {int(d) for d in survive}


def step(cells, born, survive, wrap):
    height, width = len(cells), len(cells[0])
    result = []
    for r in range(height):
        line = []
        for c in range(width):
            count = 0
            for dr in (-1, 0, 1):
                for dc in (-1, 0, 1):
                    if dr == 0 and dc == 0:
                        continue
                    rr, cc = r + dr, c + dc
                    if wrap:
                        rr, cc = rr % height, cc % width
                    elif not (0 <= rr < height and 0 <= cc < width):
                        continue
                    count += cells[rr][cc]
            line.append(1 if count in (survive if cells[r][c] else born) else 0)
        result.append(line)
    return result


def evolve(grid, rule, wrap, generations):
    born, survive = parse_rule(rule)
    cells = [[1 if ch == "#" else 0 for ch in line] for line in grid]
    for _ in range(generations):
        cells = step(cells, born, survive, wrap)
    return ["".join("#" if x else "." for x in line) for line in cells]


def read_grid(text):
    """The last fenced block, without spaces and blank lines."""
    blocks = FENCE.findall(text)
    if not blocks:
        return None
    lines = [re.sub(r"\s", "", line) for line in blocks[-1].splitlines()]
    return [line for line in lines if line]


def read_alive(text):
    found = ALIVE.findall(text.replace("*", ""))
    return int(found[-1]) if found else None


def reward(completion, grid, rule, wrap, generations, **row):
    text = completion.replace("\r\n", "\n")
    truth = evolve(grid, rule, wrap, generations)
    score = 0.0
    if read_grid(text) == truth:
        score += 0.8
    if read_alive(text) == sum(line.count("#") for line in truth):
        score += 0.2
    return round(score, 2)
