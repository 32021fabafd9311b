"""Worked examples: calls in one task, and what must come back; how an author says what rules mean."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from skill_tools.spec.parameters import Strict


class ExpectedCall(Strict):
    """A tool call of a worked example, and what comes back; what is not said is not compared."""

    tool: str
    """The tool that is called; one that there is not, where a refusal of that is shown."""
    arguments: dict[str, Any] = {}
    """Its arguments; wrong ones too, where a refusal is shown."""
    shows: str = ""
    """Words that the observation holds, in the same case; runs of white space count as one space."""
    hides: str = ""
    """Words that the observation does not hold, in this case."""
    refused: bool = False
    """Whether the call is refused."""
    reward: Annotated[float, Field(strict=False)] | None = None
    """What this call earns by itself."""
    done: bool | None = None
    """Whether the episode is over after it; the calls that follow are then made after the end."""
    times: Annotated[int, Field(ge=1, le=1000)] = 1
    """How often it is made in a row; the rest is said of each of them, and `done: true` of the last."""


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
    def made(self) -> list[tuple[str, ExpectedCall]]:
        """Each call by itself, with its number from 1 in words: of one made again and again, which."""
        return [
            (
                f"{number} ({nth} of {call.times})" if call.times > 1 else str(number),
                call.model_copy(
                    update={"times": 1, "done": call.done if nth == call.times else early}
                ),
            )
            for number, call in enumerate(self.calls, 1)
            for early in [False if call.done else call.done]
            for nth in range(1, call.times + 1)
        ]

    @property
    def ending(self) -> int | None:
        """Where, of `calls`, the first is that is said to end the episode; None if none is."""
        return next((place for place, call in enumerate(self.calls) if call.done), None)

    @property
    def split(self) -> str:
        """The split of its task."""
        return self.task.partition("/")[0]

    @property
    def index(self) -> int:
        """The index of its task in the split."""
        return int(self.task.partition("/")[2])
