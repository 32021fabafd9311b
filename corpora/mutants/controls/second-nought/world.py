"""Noughts and crosses; the agent plays O, second, against an opponent with a fixed order of squares."""

import random
from functools import lru_cache

NAMES = ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
LINES = {
    "rows": ((0, 1, 2), (3, 4, 5), (6, 7, 8)),
    "columns": ((0, 3, 6), (1, 4, 7), (2, 5, 8)),
    "diagonals": ((0, 4, 8), (2, 4, 6)),
}
ALL = tuple(line for lines in LINES.values() for line in lines)
LOOKS = {"no direction": (), "rows only": ("rows",), "rows and columns": ("rows", "columns")}


class InvalidAction(Exception):
    """Refused; nothing has changed."""


def completing(board: str, mark: str, lines: tuple) -> int | None:
    """The square that completes a line of a mark, the first by the lines' order."""
    for line in lines:
        held = [board[square] for square in line]
        if held.count(mark) == 2 and held.count(".") == 1:
            return line[held.index(".")]
    return None


def has_won(board: str, mark: str) -> bool:
    return any(all(board[square] == mark for square in line) for line in ALL)


def put(board: str, square: int, mark: str) -> str:
    return board[:square] + mark + board[square + 1 :]


def answered(board: str, order: tuple[int, ...], looks: str) -> int:
    """The opponent's square."""
    seen = tuple(line for kind in LOOKS[looks] for line in LINES[kind])
    for square in (completing(board, "X", ALL), completing(board, "O", seen)):
        if square is not None:
            return square
    return next(square for square in order if board[square] == ".")


@lru_cache(maxsize=50000)
def way_to_win(board: str, order: tuple[int, ...], looks: str) -> tuple[int, ...] | None:
    """Squares for O that win from here against this opponent, or None; kept, as it depends on nothing else."""
    for square in range(9):
        if board[square] != ".":
            continue
        after = put(board, square, "O")
        if has_won(after, "O"):
            return (square,)
        after = put(after, answered(after, order, looks), "X")
        if "." in after and not has_won(after, "X"):
            rest = way_to_win(after, order, looks)
            if rest:
                return (square, *rest)
    return None


class SecondNought:
    """One game that O can win; `reward` is 1.0, 0.5 or 0.0 at its end."""

    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} noughts")
        self._looks: str = task["looks"]
        self.board = ""
        while not self.board or not way_to_win(self.board, self.order, self._looks):
            self.order = tuple(rng.sample(range(9), 9))
            self.board = put("." * 9, self.order[0], "X")
        self._news = f"The opponent began with {NAMES[self.order[0]]}."
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        rows = [f"{row + 1}  " + " ".join(self.board[3 * row : 3 * row + 3]) for row in range(3)]
        return "\n".join([self._news, "   a b c", *rows])

    def place(self, square: str) -> str:
        if self.done:
            raise InvalidAction("the game is over")
        number = NAMES.index(square)
        if self.board[number] != ".":
            free = ", ".join(name for name, mark in zip(NAMES, self.board, strict=True) if mark == ".")
            raise InvalidAction(f"{square} is taken; free squares are {free}")
        self.board = put(self.board, number, "O")
        if has_won(self.board, "O"):
            return self._end(1.0, f"You took {square} and win.")
        answer = answered(self.board, self.order, self._looks)
        self.board = put(self.board, answer, "X")
        self._news = f"You took {square}, the opponent {NAMES[answer]}."
        if has_won(self.board, "X"):
            return self._end(0.0, f"{self._news} The opponent wins.")
        if "." not in self.board:
            return self._end(0.5, f"{self._news} A draw.")
        return self.observe()

    def valid_calls(self) -> list[tuple[str, dict]]:
        return [("place", {"square": n}) for n, mark in zip(NAMES, self.board, strict=True) if mark == "."]

    def _end(self, reward: float, news: str) -> str:
        self.reward, self.done, self._news = reward, True, news
        return self.observe()
