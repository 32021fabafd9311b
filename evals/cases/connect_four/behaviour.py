"""Tests of connect four, with any names for the tool, the pieces and the columns.

The only tool takes a column, and the board is six lines of seven marks. The agent's first move shows which of
the two pieces belongs to the agent. The player in these tests wins if it can, otherwise blocks, and otherwise
prefers the middle.
"""

import re

from evals.episode import Play, PlayError, episode

COLUMNS = range(7)
"""Places from the left, as the rules of connect four have them."""
ROWS = range(6)
"""Places from the top."""
LINES = [
    [(x + i * dx, y + i * dy) for i in range(4)]
    for x in COLUMNS
    for y in ROWS
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    if 0 <= x + 3 * dx < 7 and 0 <= y + 3 * dy < 6
]


def board(text: str) -> list[str]:
    """Return the board in a text: the last six lines with seven marks each, the top row first."""
    rows = []
    for line in text.splitlines():
        marks = re.sub(r"[\s|]+", "", re.sub(r"^\s*\d\s*[|:]?\s(?=\D)", "", line))
        if len(marks) == 7 and marks not in "01234567" and not re.fullmatch(r"[=+-]+", marks):
            rows.append(marks)
    if len(rows) < 6:
        raise PlayError(f"no board of 7 columns and 6 rows can be read from {text[-600:]!r}")
    return rows[-6:]


class Game:
    """A game, with the player's own copy of the board."""

    def __init__(self, play: Play, index: int = 0, split: str | None = None) -> None:
        self.play = play
        opened = play.open(split, index)
        self.tool = play.tool()
        ((self.parameter, self.schema),) = self.tool.parameters.items()
        self.base = int(self.schema.get("minimum", 1))
        self.rows = board(opened.text)
        marks = [mark for row in self.rows for mark in row]
        self.free = max(set(marks), key=marks.count)
        self.mine = ""

    def height(self, column: int) -> int:
        return sum(row[column] != self.free for row in self.rows)

    def at(self, x: int, y: int) -> str:
        return self.rows[5 - y][x]

    def finishes(self, column: int, piece: str) -> bool:
        place = (column, self.height(column))
        return any(
            place in line and all(self.at(*other) == piece for other in line if other != place)
            for line in LINES
        )

    def counts(self, piece: str) -> int:
        return sum(row.count(piece) for row in self.rows)

    def choose(self) -> int:
        open_ = [column for column in COLUMNS if self.height(column) < 6]
        theirs = {m for row in self.rows for m in row} - {self.free, self.mine}
        for piece in [self.mine, *theirs]:
            for column in open_:
                if piece and self.finishes(column, piece):
                    return column
        return min(open_, key=lambda column: (abs(column - 3), column))

    def drop(self, column: int):
        before, height = self.rows, self.height(column)
        seen = self.play.call(self.tool.name, **{self.parameter: column + self.base})
        if seen.unseen:  # the last move, which ends the game
            self.put(column)
        else:
            self.rows = board(seen.text)
        if before != self.rows and height < 6:
            self.mine = self.mine or self.at(column, height)
        return seen

    def put(self, column: int) -> None:
        """Drop a piece on the player's own copy of the board."""
        row = 5 - self.height(column)
        if row >= 0:
            line = self.rows[row]
            self.rows = [*self.rows]
            self.rows[row] = f"{line[:column]}{self.mine}{line[column + 1 :]}"

    def won(self, piece: str) -> bool:
        return any(all(self.at(*place) == piece for place in line) for line in LINES)

    def finish(self, choose=None) -> int:
        """Play to the end of the game. Return the number of moves."""
        for move in range(30):
            if self.play.done:
                return move
            before = self.rows
            column = (choose or self.choose)()
            self.drop(column)
            over = any(self.won(m) for m in set("".join(self.rows)) - {self.free})
            if over or before == self.rows:
                return move + 1
        raise PlayError("the game went on after 30 moves; the board has 42 places")


@episode("a piece falls to the lowest free place", "the opponent answers")
def dropping(play: Play) -> None:
    """Make two moves in one column."""
    game = Game(play)
    theirs_before = sum(game.height(column) for column in COLUMNS)
    height = game.height(3)
    game.drop(3)
    mine = game.mine
    play.expect(
        "a piece falls to the lowest free place", game.at(3, height) == mine != game.free, game.rows
    )
    pieces = sum(game.height(column) for column in COLUMNS)
    play.expect("the opponent answers", pieces == theirs_before + 2, game.rows)
    if game.height(3) < 6:
        height = game.height(3)
        game.drop(3)
        lands = game.at(3, height) == mine and game.counts(mine) == 2
        play.expect("a piece falls to the lowest free place", lands, game.rows)
    play.close()


@episode("four in a row win", "a win pays more than a loss", "a game that is over goes no further")
def winning(play: Play) -> None:
    """Play games on several tasks, until one game is won and another is lost."""
    won, lost = None, None
    for index in range(8):
        game = Game(play, index)
        # Every other game is given away: it stacks the outer columns and never blocks.
        give = index % 2 == 1
        game.finish((lambda game=game: _worst(game)) if give else None)
        mine = game.won(game.mine)
        theirs = any(game.won(m) for m in set("".join(game.rows)) - {game.free, game.mine})
        if mine or theirs:
            frozen = game.rows
            over = play.call(game.tool.name, **{game.parameter: 3 + game.base})
            again = board(over.text) if _has_board(over.text) else frozen
            play.expect("a game that is over goes no further", again == frozen, over.text)
        paid = play.close().returned
        won = paid if mine else won
        lost = paid if theirs else lost
        if won is not None and lost is not None:
            break
    play.expect("four in a row win", won is not None, "no game ended with four of the agent's")
    play.expect(
        "a win pays more than a loss",
        won is not None and (won > (0 if lost is None else lost)),
        f"a win paid {won}, a loss {lost}",
    )


@episode("a full column is refused and nothing changes")
def full_column(play: Play) -> None:
    """Drop pieces into one column until it is full, and then drop one more piece."""
    for index in range(6):
        game = Game(play, index)
        while game.height(0) < 6 and not play.done:
            before = game.rows
            game.drop(0)
            if before == game.rows:
                break
        if game.height(0) == 6 and not play.done and not game.won(game.mine):
            before = game.rows
            seen = play.call(game.tool.name, **{game.parameter: game.base})
            after = board(seen.text) if _has_board(seen.text) else before
            play.expect("a full column is refused and nothing changes", after == before, seen.text)
            play.close()
            return
        play.close()
    raise PlayError("no game in six let the agent fill a column")


@episode("the same task is the same game", "tasks differ")
def repeating(play: Play) -> None:
    """Play one task twice and other tasks once, always with the same moves."""

    def seen(index: int) -> list[str]:
        game = Game(play, index)
        texts = []
        for column in (3, 2, 4):
            texts.append("".join(game.rows))
            game.drop(column)
        texts.append("".join(game.rows))
        play.close()
        return texts

    first = seen(0)
    play.expect("the same task is the same game", first == seen(0), "its opponent moved otherwise")
    others = [seen(index) for index in range(1, 5)]
    play.expect("tasks differ", any(other != first for other in others), "five tasks are one game")


def _worst(game: Game) -> int:
    """Return an open column that wins nothing. Prefer the outermost columns."""
    order = (0, 6, 1, 5, 2, 4, 3)
    for column in order:
        if game.height(column) < 6 and not game.finishes(column, game.mine):
            return column
    return next(column for column in order if game.height(column) < 6)


def _has_board(text: str) -> bool:
    try:
        board(text)
    except PlayError:
        return False
    return True
