"""Levers with hidden chances of a coin, and a bounded number of pulls."""

import random

GOOD = 0.85
POOR = (0.02, 0.25)


class InvalidAction(Exception):
    """The rules forbid it; the player is told why and may try again."""


def most_coins(table: list[list[bool]], pulls: int) -> int:
    """The coins of the best way to spread so many pulls, known what each lever's next pull pays."""
    best = [0] * (pulls + 1)  # best[n]: the most coins of n pulls of the levers so far
    for lever in table:
        paid = [sum(lever[:count]) for count in range(pulls + 1)]
        best = [
            max(best[total - count] + paid[count] for count in range(total + 1))
            for total in range(pulls + 1)
        ]
    return best[pulls]


class CoinLevers:
    """One machine. `reward` is the coins so far as a share of the most that were to be had."""

    def __init__(self, task: dict, seed: int) -> None:
        """Fix what every pull of each of `task["levers"]` levers will pay."""
        self.levers: int = task["levers"]
        self.pulls: int = task["pulls"]
        rng = random.Random(seed)
        chances = [GOOD] + [rng.uniform(*POOR) for _ in range(self.levers - 1)]
        rng.shuffle(chances)
        self._table = [[rng.random() < chance for _ in range(self.pulls)] for chance in chances]
        good = self._table[chances.index(GOOD)]
        if not any(good):  # so that there is always a coin to win
            good[0] = True
        self._most = most_coins(self._table, self.pulls)
        self.pulled = [0] * self.levers
        self.coins = [0] * self.levers
        self.done = False

    @property
    def reward(self) -> float:
        """Share of the coins that could be had."""
        return sum(self.coins) / self._most

    def observe(self) -> str:
        """How many levers and pulls there are."""
        return f"There are {self.levers} levers, numbered from 1.\n{self._status()}"

    def pull(self, lever: int) -> str:
        """Pull a lever; it pays one coin or none."""
        if self.done:
            raise InvalidAction("The pulls are used up.")
        if lever > self.levers:
            raise InvalidAction(
                f"There is no lever {lever}; pull one of 1 to {self.levers}. No pull was used."
            )
        place = lever - 1
        paid = self._table[place][self.pulled[place]]
        self.pulled[place] += 1
        self.coins[place] += paid
        self.done = sum(self.pulled) == self.pulls
        return f"Lever {lever} paid {'a coin' if paid else 'nothing'}.\n{self._status()}"

    def _status(self) -> str:
        tried = [
            f"lever {place + 1}: {self.coins[place]} of {count}"
            for place, count in enumerate(self.pulled)
            if count
        ]
        left = self.pulls - sum(self.pulled)
        so_far = f"Coins of pulls: {', '.join(tried) or 'none yet'}."
        return f"{so_far} Coins in all: {sum(self.coins)}. Pulls left: {left}."
