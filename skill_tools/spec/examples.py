"""Worked examples: calls in one task, and what must come back; how an author says what rules mean."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from skill_tools.spec.parameters import Strict


class ExpectedCall(Strict):
    """A tool call of a worked example, and what comes back; what is not said is not compared."""

    tool: str
    """The tool that is called."""
    arguments: dict[str, Any] = {}
    """Its arguments; wrong ones too, where a refusal is shown."""
    shows: str = ""
    """Words that the observation holds; runs of white space count as one space."""
    hides: str = ""
    """Words that the observation does not hold."""
    refused: bool = False
    """Whether the call is refused."""
    reward: Annotated[float, Field(strict=False)] | None = None
    """What this call earns by itself."""
    done: bool | None = None
    """Whether the episode is over after it."""


class Example(Strict):
    """Calls in one task, at its own seed, worked out by hand and not by running the domain."""

    task: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]+/[0-9]+$")]
    """Split and index, such as train/0; of several examples of a task variants play the first."""
    because: str = ""
    """The rule that it shows, in a sentence."""
    says: str = ""
    """Sentences that it shows to be true, word by word as the prompt or a description has them."""
    opening: str = ""
    """Words that the first messages hold."""
    calls: Annotated[list[ExpectedCall], Field(min_length=1)]
    """In order."""
    returns: Annotated[float, Field(strict=False)] | None = None
    """The return, if the agent stops there."""

    @property
    def split(self) -> str:
        """The split of its task."""
        return self.task.partition("/")[0]

    @property
    def index(self) -> int:
        """The index of its task in the split."""
        return int(self.task.partition("/")[2])
