"""The domain of the environment that this package stands in for: count to a number."""


class InvalidAction(Exception):
    """The rules forbid it."""


class Counter:
    """Counts up to the task's target."""

    def __init__(self, task: dict, seed: int) -> None:
        self.count, self.target = 0, task["target"]

    @property
    def reward(self) -> float:
        """1.0 at the target."""
        return float(self.count == self.target)

    @property
    def done(self) -> bool:
        """Whether the target is reached."""
        return self.count == self.target

    def observe(self) -> str:
        """Where the counter is, and where it should be."""
        return f"The counter is at {self.count}; count to {self.target}."

    def add(self, amount: int) -> str:
        """Add to the counter."""
        if self.count + amount > self.target:
            raise InvalidAction(f"{amount} is too much; add at most {self.target - self.count}")
        self.count += amount
        return self.observe()


TASKS = {"train": [{"id": f"to-{n}", "target": n, "word": f"hidden-{n}"} for n in range(3, 9)]}


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    """Add one until the target is reached."""
    return [("add", {"amount": 1})] * task["target"]
