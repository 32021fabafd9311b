"""Tiles that slide and merge on a board of four by four."""

import random

SIZE = 4
RULE = "   +" + "--------+" * SIZE


class InvalidAction(Exception):
    """Refused; nothing has changed."""


def pushed(line: list[int]) -> list[int]:
    """A line after its tiles slid towards its front."""
    result, last = [], 0
    for tile in filter(None, line):
        if tile == last:
            result[-1], last = 2 * tile, 0
        else:
            result.append(tile)
            last = tile
    return result + [0] * (len(line) - len(result))


def slid(board: list[list[int]], direction: str) -> list[list[int]]:
    """The board after a slide, without a new tile."""
    lines = [list(line) for line in zip(*board)] if direction in ("up", "down") else board
    if direction in ("down", "right"):
        lines = [pushed(line[::-1])[::-1] for line in lines]
    else:
        lines = [pushed(line) for line in lines]
    return [list(line) for line in zip(*lines)] if direction in ("up", "down") else lines


class MergeTiles:
    """`reward` is 1.0 once a tile of `task["target"]` lies on the board."""

    def __init__(self, task: dict, seed: int) -> None:
        self._rng = random.Random(f"{seed} tiles")
        self._target: int = task["target"]
        self.left: int = task["moves"]
        self.board = [[0] * SIZE for _ in range(SIZE)]
        self._new_tile()
        self._new_tile()
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        rows = ["        A        B        C        D", RULE]
        for number, row in enumerate(self.board, 1):
            rows.append(f" {number} |" + "".join(f"{tile or '.':>7} |" for tile in row))
            rows.append(RULE)
        highest = max(map(max, self.board))
        rows.append(f"Wanted: {self._target}. Highest: {highest}. Moves left: {self.left}.")
        return "\n".join(rows)

    def slide(self, direction: str) -> str:
        if self.done:
            raise InvalidAction("the game is over")
        after = slid(self.board, direction)
        if after == self.board:
            raise InvalidAction(f"no tile moves {direction}; these move some: {', '.join(self._open())}")
        self.board = after
        self.left -= 1
        self._new_tile()
        won = max(map(max, self.board)) >= self._target
        self.reward = 1.0 if won else 0.0
        self.done = won or not self.left or not self._open()
        end = "\nYou made it." if won else "\nThe game is over." if self.done else ""
        return self.observe() + end

    def valid_calls(self) -> list[tuple[str, dict]]:
        return [("slide", {"direction": direction}) for direction in self._open()]

    def _open(self) -> list[str]:
        return [d for d in ("up", "down", "left", "right") if slid(self.board, d) != self.board]

    def _new_tile(self) -> None:
        empty = [(r, c) for r in range(SIZE) for c in range(SIZE) if not self.board[r][c]]
        row, column = self._rng.choice(empty)
        self.board[row][column] = 4 if self._rng.random() < 0.1 else 2
