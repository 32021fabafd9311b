"""A ledger with a few wrong cells."""

import random

APART = 3


class InvalidAction(Exception):
    """Refused; nothing has changed."""


class Ledger:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} ledger")
        self.lines: int = task["lines"]
        self.opening = balance = rng.randint(500, 4000)
        self._right: dict[tuple[int, str], int] = {}
        for line in range(1, self.lines + 1):
            amount = rng.choice((-1, 1)) * rng.randint(11, 900)
            balance += amount
            self._right[line, "amount"], self._right[line, "balance"] = amount, balance
        self.cells = dict(self._right)
        spare = self.lines - 1 - APART * (task["wrong"] - 1) - 1
        shifts = sorted(rng.randint(0, spare) for _ in range(task["wrong"]))
        wrong = [1 + shift + APART * place for place, shift in enumerate(shifts)]
        self._wrong = {(line, rng.choice(("amount", "balance"))) for line in wrong}
        for cell in sorted(self._wrong):
            self.cells[cell] += rng.choice((-1, 1)) * rng.randint(1, 300)
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return f"{self._table()}\nWrong cells: {len(self._wrong)}."

    def show(self) -> str:
        self._check_open()
        return self._table()

    def fix(self, line: int, column: str, value: int) -> str:
        self._check_open()
        if line > self.lines:
            raise InvalidAction(f"the ledger has {self.lines} lines")
        if self.cells[line, column] == value:
            raise InvalidAction(f"the {column} of line {line} is {value} already")
        self.cells[line, column] = value
        return f"Line {line}: {self.cells[line, 'amount']} | {self.cells[line, 'balance']}"

    def hand_in(self) -> str:
        self._check_open()
        mended = sum(self.cells[cell] == self._right[cell] for cell in self._wrong)
        spoiled = sum(
            value != self._right[cell] for cell, value in self.cells.items() if cell not in self._wrong
        )
        self.reward = max(0.0, (mended - spoiled) / len(self._wrong))
        self.done = True
        return "The ledger is closed."

    def _table(self) -> str:
        rows = [
            f"{line} | {self.cells[line, 'amount']} | {self.cells[line, 'balance']}"
            for line in range(1, self.lines + 1)
        ]
        return "\n".join([f"Opening balance: {self.opening}", "line | amount | balance", *rows])

    def _check_open(self) -> None:
        if self.done:
            raise InvalidAction("the ledger is closed")
