"""The numbers of a model's samples on an environment, as types."""

from __future__ import annotations

from pydantic import BaseModel


class Estimate(BaseModel):
    """A mean over tasks, and half the width of its 95 % interval; None where it is of one task."""

    mean: float
    half: float | None
    tasks: int

    @property
    def text(self) -> str:
        """As people read it, such as ``0.400 ± 0.163``."""
        return f"{self.mean:.3f}" + ("" if self.half is None else f" ± {self.half:.3f}")


class Trouble(BaseModel):
    """One kind of error: how often it was, and in how many episodes."""

    times: int
    episodes: int


class GroupShares(BaseModel):
    """Groups of samples of one task and seed, and shares of them that a policy gradient learns nothing of.

    zero_gradient: all samples earned the same. passed, lowest, between: of all groups, those in which
    the same was enough to pass, was the lowest return that any episode here had, or was neither.
    """

    groups: int
    zero_gradient: float | None = None
    passed: float = 0.0
    lowest: float = 0.0
    between: float = 0.0


class LevelSamples(BaseModel):
    """The episodes on the tasks of one level, or on all.

    level: "" where tasks have none, and for all. passed: pass@k by k, estimated without bias; empty
    where nobody said what passing is. solved: tasks of which every sample passed; unsolved: none did.
    errors: by kind, the reasons of refused calls among them. ends and limits: of episodes.
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
    """What an episode takes on average; None where no server counted tokens or no price was given.

    prompt and completion: tokens over all turns of an episode. context: the median tokens of a
    prompt, by turn, of the episodes that came so far. cost: of all episodes, in the prices' unit.
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
    """How one model does on one environment.

    threshold: the return that passes; None: the most that each task pays. ended: why no more was
    played, and left: episodes that were wanted and not played. advice: what to change, in words.
    warnings: what to know before believing the numbers.
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
    """What a million tokens cost, in any currency."""

    prompt: float
    completion: float
