"""The domain of the stand-in environment for tests: count to a number."""


class InvalidAction(Exception):
    """An action that the rules forbid."""


class Counter:
    """A world in which the agent counts up to the task's target."""

    def __init__(self, task: dict, seed: int) -> None:
        self.count, self.target = 0, task["target"]

    @property
    def reward(self) -> float:
        """The reward: 1.0 at the target, otherwise 0.0."""
        return float(self.count == self.target)

    @property
    def done(self) -> bool:
        """Whether the counter has reached the target."""
        return self.count == self.target

    def observe(self) -> str:
        """Return the counter's value and its target as text."""
        return f"The counter is at {self.count}; count to {self.target}."

    def add(self, amount: int) -> str:
        """Add an amount to the counter."""
        if self.count + amount > self.target:
            raise InvalidAction(f"{amount} is too much; add at most {self.target - self.count}")
        self.count += amount
        return self.observe()


TASKS = {"train": [{"id": f"to-{n}", "target": n, "word": f"hidden-{n}"} for n in range(3, 9)]}


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    """Return calls that add one until the target is reached."""
    return [("add", {"amount": 1})] * task["target"]
