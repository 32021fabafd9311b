"""The rules of connect four, and the scripted opponent.

A board is a list of seven columns, left to right. A column is the list of its pieces, bottom up.
Columns are counted from 0 in this code and from 1 for the player.
"""

import random

COLUMNS = 7
ROWS = 6
PLAYER = "X"
OPPONENT = "O"
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))

Board = list[list[str]]


class InvalidAction(Exception):
    """A move that the rules forbid. The player gets the reason and may try again."""


def open_columns(board: Board) -> list[int]:
    """Return the columns that can take another piece."""
    return [column for column in range(COLUMNS) if len(board[column]) < ROWS]


def wins(board: Board, column: int, piece: str) -> bool:
    """Return whether a `piece` dropped into an open `column` would make four in a row."""
    row = len(board[column])

    def run(step_x: int, step_y: int) -> int:
        """Return how many pieces of the same kind follow the dropped piece in one direction."""
        x, y, length = column + step_x, row + step_y, 0
        while 0 <= x < COLUMNS and 0 <= y < len(board[x]) and board[x][y] == piece:
            x, y, length = x + step_x, y + step_y, length + 1
        return length

    return any(run(dx, dy) + run(-dx, -dy) >= 3 for dx, dy in DIRECTIONS)


def winning_columns(board: Board, piece: str) -> list[int]:
    """Return the columns in which `piece` would win at once."""
    return [column for column in open_columns(board) if wins(board, column, piece)]


def opponent_move(board: Board, skill: str, rng: random.Random) -> int:
    """Return the opponent's column. A greedy opponent wins if it can, otherwise blocks, otherwise moves at random."""
    if skill == "greedy":
        urgent = winning_columns(board, OPPONENT) or winning_columns(board, PLAYER)
        if urgent:
            return urgent[0]
    return rng.choice(open_columns(board))


class ConnectFour:
    """One game. `reward` is 1.0 after a win, 0.5 after a draw, and 0.0 otherwise."""

    def __init__(self, task: dict, seed: int) -> None:
        """Set up the board. If the opponent begins in this task, it makes its first move at once.

        `task["opponent"]` is "random" or "greedy", `task["first"]` is "player" or "opponent".
        """
        self.board: Board = [[] for _ in range(COLUMNS)]
        self.reward = 0.0
        self.done = False
        self._skill: str = task["opponent"]
        # Seeded with text: it carries the settings too, and means the same in every process.
        self._rng = random.Random(f"{seed} {task['opponent']} {task['first']}")
        self._news = "You begin."
        if task["first"] == "opponent":
            self._news = "The opponent begins."
            self._answer()

    def observe(self) -> str:
        """Return the latest news, and the board with the top row first."""
        rows = [
            " ".join(column[row] if row < len(column) else "." for column in self.board)
            for row in reversed(range(ROWS))
        ]
        numbers = " ".join(str(column + 1) for column in range(COLUMNS))
        status = "The game is over." if self.done else f"Your move; you are {PLAYER}."
        return "\n".join([self._news, numbers, *rows, status])

    def drop_piece(self, column: int) -> str:
        """Drop the player's piece into `column`, 1 to 7. The opponent then makes its move.

        Raises InvalidAction, without any change, if the column is full.
        """
        if self.done:
            raise InvalidAction("the game is over; no more pieces can be dropped")
        free = [index + 1 for index in open_columns(self.board)]
        if column not in free:
            raise InvalidAction(
                f"column {column} is full or not on the board; use one of {', '.join(map(str, free))}"
            )
        won = self._place(column - 1, PLAYER)
        self._news = f"You dropped {PLAYER} into column {column}."
        if won:
            self._end(1.0, "You have four in a row: you win!")
        elif not open_columns(self.board):
            self._end(0.5, "The board is full: a draw.")
        else:
            self._answer()
        return self.observe()

    def _answer(self) -> None:
        """Make the opponent's move and add it to the news."""
        column = opponent_move(self.board, self._skill, self._rng)
        won = self._place(column, OPPONENT)
        self._news += f" The opponent dropped {OPPONENT} into column {column + 1}."
        if won:
            self._end(0.0, "It has four in a row: you lose.")
        elif not open_columns(self.board):
            self._end(0.5, "The board is full: a draw.")

    def _place(self, column: int, piece: str) -> bool:
        """Put a piece on the board. Return whether the piece makes four in a row."""
        won = wins(self.board, column, piece)
        self.board[column].append(piece)
        return won

    def _end(self, reward: float, news: str) -> None:
        self.reward = reward
        self.done = True
        self._news += f" {news}"
