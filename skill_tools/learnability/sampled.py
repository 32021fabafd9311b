"""Types for the results of a model's samples on an environment."""

from __future__ import annotations

from pydantic import BaseModel


class Estimate(BaseModel):
    """A mean over tasks, and half the width of its 95% interval; ``half`` is None for a single task."""

    mean: float
    half: float | None
    tasks: int

    @property
    def text(self) -> str:
        """Return the estimate as text, such as ``0.400 ± 0.163``."""
        return f"{self.mean:.3f}" + ("" if self.half is None else f" ± {self.half:.3f}")


class Trouble(BaseModel):
    """One kind of error, with the number of its occurrences and the number of affected episodes."""

    times: int
    episodes: int


class GroupShares(BaseModel):
    """Groups of samples with the same task and seed, and the shares of groups without signal for a policy gradient.

    ``zero_gradient`` is the share in which all samples have the same return. Its three parts are also shares of all
    groups: the common return is a pass (``passed``), the lowest of any episode (``lowest``), or neither of these
    (``between``).
    """

    groups: int
    zero_gradient: float | None = None
    passed: float = 0.0
    lowest: float = 0.0
    between: float = 0.0


class LevelSamples(BaseModel):
    """The episodes on the tasks of one level, or on all tasks.

    Attributes:
        level: The level; "" for all tasks, or if tasks have no levels.
        passed: Unbiased pass@k by k; empty if passing is not defined.
        solved: Number of tasks that every sample passed.
        unsolved: Number of tasks that no sample passed.
        errors: Errors by kind, including the reasons of refused calls.
        ends, limits: Number of episodes by end and by limit.
    """

    level: str
    tasks: int
    episodes: int
    scored: int
    calls: int
    passed: dict[int, Estimate]
    mean_return: Estimate | None
    solved: int
    unsolved: int
    groups: GroupShares
    errors: dict[str, Trouble]
    ends: dict[str, int]
    limits: dict[str, int]


class Expense(BaseModel):
    """The mean cost of an episode; a field is None if no server counted tokens or no price was given.

    Attributes:
        prompt, completion: Tokens over all turns of an episode.
        context: Median tokens of a prompt by turn, over the episodes with that turn.
        cost: Cost of all episodes, in the currency of the prices.
    """

    prompt: float | None
    completion: float | None
    tokens: int
    seconds: float
    turns: float
    context: list[float]
    cost: float | None = None
    cost_per_episode: float | None = None


class ModelStudy(BaseModel):
    """The results of one model on one environment.

    Attributes:
        threshold: The minimum return that passes; None for each task's maximum.
        ended: The reason why no more episodes were played.
        left: Number of requested episodes that were not played.
        advice: Descriptions of recommended changes.
        warnings: Facts to know before relying on the numbers.
    """

    model: str
    environment: str | None
    framework: str
    split: str | None
    threshold: float | None
    overall: LevelSamples
    levels: list[LevelSamples]
    expense: Expense
    ended: str = ""
    left: int = 0
    advice: list[str] = []
    warnings: list[str] = []


class Prices(BaseModel):
    """The price of a million prompt tokens and a million completion tokens, in any currency."""

    prompt: float
    completion: float
