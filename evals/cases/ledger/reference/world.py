"""A ledger of four accounts."""

import random


class InvalidAction(Exception):
    """An action that is not allowed. The agent gets the reason and may try again."""


def amounts(seed: int) -> dict[str, int]:
    """Return four different amounts whose mean is a whole number."""
    rng = random.Random(f"ledger {seed}")
    while True:
        found = rng.sample(range(10, 200), 4)
        if sum(found) % 4 == 0:
            return dict(zip("ABCD", found, strict=True))


class Ledger:
    """One ledger; the reward is 1 for finishing with four equal accounts."""

    def __init__(self, task: dict, seed: int) -> None:
        self.accounts = amounts(seed)
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return "The accounts are A, B, C and D."

    def balance(self, account: str) -> str:
        self._check_open()
        return f"BALANCE: {self.accounts[account]}"

    def transfer(self, source: str, target: str, amount: int) -> str:
        self._check_open()
        if source == target:
            raise InvalidAction("source and target are the same account")
        if amount > self.accounts[source]:
            raise InvalidAction(f"{source} does not have {amount}")
        self.accounts[source] -= amount
        self.accounts[target] += amount
        return f"Moved {amount} from {source} to {target}."

    def settle(self) -> str:
        self._check_open()
        self.done = True
        same = len(set(self.accounts.values())) == 1
        self.reward = 1.0 if same else 0.0
        return "All four have the same." if same else "They do not have the same."

    def _check_open(self) -> None:
        if self.done:
            raise InvalidAction("the episode is over")
