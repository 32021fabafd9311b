"""A ranked vote; all of it is in the task, in the open."""


class InvalidAction(Exception):
    """Refused."""


def dropped(ballots: list[list[str]]) -> list[str]:
    """The candidates in the order in which they leave; the winner comes last."""
    still, order = sorted(ballots[0], reverse=True), []
    while still:
        tops = [next(name for name in ballot if name in still) for ballot in ballots]
        order.append(min(still, key=tops.count))
        still.remove(order[-1])
    return order


class Ballots:
    def __init__(self, task: dict, seed: int) -> None:
        self._ballots = task["ballots"]
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return "\n".join(f"Ballot {n}: {', '.join(b)}" for n, b in enumerate(self._ballots, 1))

    def declare(self, winner: str, first_out: str) -> str:
        if self.done:
            raise InvalidAction("the result was declared; the episode is over")
        if winner == first_out:
            raise InvalidAction("the winner cannot have dropped out first; name two candidates")
        order = dropped(self._ballots)
        self.done = True
        self.reward = 1.0 if (first_out, winner) == (order[0], order[-1]) else 0.0
        return "Right." if self.reward else "Wrong."
