"""Invoices judged as of the date that the task gives; no clock is read."""

import random
from datetime import date, timedelta


class InvalidAction(Exception):
    """Refused."""


class Dunning:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} dunning")
        today = date.fromisoformat(task["today"])
        self._invoices = []
        for _ in range(6):
            late = rng.choice(
                (rng.randint(-9, 0), 0, 1, rng.randint(1, 14), 14, 15, rng.randint(15, 60))
            )
            term = rng.choice((10, 14, 30, 45))
            action = "wait" if late <= 0 else "remind" if late <= 14 else "collect"
            self._invoices.append((today - timedelta(days=late + term), term, action))
        self._decided: dict[int, str] = {}
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return "\n".join(
            f"Invoice {n}: issued {issued}, term {term} days."
            for n, (issued, term, _) in enumerate(self._invoices, 1)
        )

    def decide(self, invoice: int, action: str) -> str:
        if self.done:
            raise InvalidAction("all invoices are decided; the episode is over")
        if invoice in self._decided:
            raise InvalidAction(f"invoice {invoice} is decided: {self._decided[invoice]}")
        self._decided[invoice] = action
        self.done = len(self._decided) == 6
        right = [self._decided.get(n) == entry[2] for n, entry in enumerate(self._invoices, 1)]
        self.reward = 1.0 if all(right) else 0.0
        left = [str(n) for n in range(1, 7) if n not in self._decided]
        return f"Invoice {invoice}: {action}. To decide: {', '.join(left) or 'none, you are done'}."
