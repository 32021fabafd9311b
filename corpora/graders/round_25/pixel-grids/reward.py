"""Grader for pixel art transformed by a list of operations."""


def rotate_clockwise(grid):
    return ["".join(column) for column in zip(*grid[::-1])]


def transpose(grid):
    return ["".join(column) for column in zip(*grid)]


def mirror(grid):
    return [line[::-1] for line in grid]


def shift_right(grid, steps):
    steps %= len(grid[0])
    return [line[-steps:] + line[:-steps] if steps else line for line in grid]


def shift_down(grid, steps):
    steps %= len(grid)
    return grid[-steps:] + grid[:-steps] if steps else grid


def swap_colours(grid, first, second):
    return [line.translate(str.maketrans(first + second, second + first)) for line in grid]


def drop(grid):
    """Every coloured cell falls to the bottom of its column, order kept."""
    columns = []
    for column in transpose(grid):
        solid = column.replace(".", "")
        columns.append(solid.rjust(len(column), "."))
    return transpose(columns)


def apply(grid, operation):
    name, *args = operation
    if name == "rotate-cw":
        return rotate_clockwise(grid)
    if name == "rotate-ccw":
        return rotate_clockwise(rotate_clockwise(rotate_clockwise(grid)))
    if name == "mirror":
        return mirror(grid)
    if name == "flip":
        return grid[::-1]
    if name == "transpose":
        return transpose(grid)
    if name == "right":
        return shift_right(grid, *args)
    if name == "down":
        return shift_down(grid, *args)
    if name == "swap":
        return swap_colours(grid, *args)
    if name == "drop":
        return drop(grid)
    raise ValueError(name)


def read_grid(completion):
    """Rows of the last closed fenced block, without blanks; None if there is none."""
    block, current = None, None
    for line in completion.splitlines():
        if line.strip().startswith("```"):
            if current is None:
                current = []
            else:
                block, current = current, None
        elif current is not None:
            current.append("".join(line.split()))
    return None if block is None else [line for line in block if line]


def reward(completion, grid, operations, **row) -> float:
    got = read_grid(completion)
    if got is None:
        return 0.0
    want = list(grid)
    for operation in operations:
        want = apply(want, operation)
    if [len(line) for line in got] != [len(line) for line in want]:
        return 0.0
    wrong = sum(a != b for g, w in zip(got, want) for a, b in zip(g, w))
    if wrong == 0:
        return 1.0
    return 0.5 if wrong <= 2 else 0.0
