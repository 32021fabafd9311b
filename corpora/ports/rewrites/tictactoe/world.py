"""Tic-tac-toe against a random player, as PettingZoo's tictactoe_v3 plays it."""

import random

from .pcg64 import Generator

LINES = (
    *((n, n + 1, n + 2) for n in (0, 3, 6)),
    *((n, n + 3, n + 6) for n in (0, 1, 2)),
    (0, 4, 8),
    (2, 4, 6),
)
RULES = (
    "You are player_1. The other agents act in turn and at random; you see what they did. "
    "An action is an integer from 0 to 8."
)


class InvalidAction(Exception):
    """The rules forbid the action; the agent sees why and may try again."""


class Tictactoe:
    """One game. `reward` is 1.0 for a win and -1.0 for a loss."""

    def __init__(self, task: dict, seed: int) -> None:
        """Clear the board; the seed decides what the other player does."""
        self.reward, self.done = 0.0, False
        self._board = [0] * 9
        self._moves: list[int] = []
        # The audit's random player, which an import takes over.
        self._chance = Generator(random.Random(f"{seed}/player_2").getrandbits(31))

    def observe(self) -> str:
        """Return the rules and the board."""
        return "\n\n".join([RULES, *self._shown(None).splitlines()])

    def act(self, *, action: int) -> str:
        """Take a free cell."""
        if self._board[action]:
            raise InvalidAction(f"cell {action} is taken; take one of {self._free()}")
        if self._take(action, 1):
            return self._shown(None)
        free = self._free()
        theirs = free[self._chance.below(len(free))]
        self._take(theirs, 2)
        return self._shown(theirs)

    def _free(self) -> list[int]:
        return [cell for cell in range(9) if not self._board[cell]]

    def _take(self, cell: int, player: int) -> bool:
        """Put a mark on a cell; return whether the game is over."""
        self._board[cell] = player
        if any(all(self._board[at] == player for at in line) for line in LINES):
            self.reward, self.done = (1.0 if player == 1 else -1.0), True
        self.done = self.done or not self._free()
        return self.done

    def _shown(self, theirs: int | None) -> str:
        cells = [[int(mark == 1), int(mark == 2)] for mark in self._board]
        lines = [f"Observation: {[cells[row : row + 3] for row in (0, 3, 6)]}"]
        lines += [f"player_2 played {theirs}."] if theirs is not None else []
        return "\n".join([*lines, f"Legal actions: {self._free()}"])
