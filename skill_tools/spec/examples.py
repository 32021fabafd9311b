"""Worked examples: calls in one task and their expected results, by which an author explains rules."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, model_validator

from skill_tools.spec.parameters import Strict


class ExpectedCall(Strict):
    """A tool call of a worked example, and its result; fields left out are not compared."""

    tool: str
    """The tool to call; an unknown one to show that refusal. Left out if `message` is there."""
    message: str | None = None
    """The text of a message without tool calls, in place of tool and arguments."""
    arguments: dict[str, Any] = {}
    """Its arguments; wrong ones to show a refusal."""
    shows: str = ""
    """Words in the observation, in the same case; runs of whitespace count as one space."""
    hides: str = ""
    """Words that are not in the observation, in this case."""
    refused: bool = False
    """Whether the call is refused."""
    reward: Annotated[float, Field(strict=False)] | None = None
    """The reward of this call alone."""
    done: bool | None = None
    """Whether the episode is over after it; the calls that follow are then made after the end."""
    times: Annotated[int, Field(ge=1, le=1000)] = 1
    """Number of times to make it in a row; other fields apply to each, `done: true` to the last."""

    @model_validator(mode="before")
    @classmethod
    def _as_call(cls, data: Any) -> Any:
        if not isinstance(data, dict) or not isinstance(data.get("message"), str):
            return data
        if {"tool", "arguments"} & data.keys():
            return data
        return {**data, "tool": "message", "arguments": {"text": data["message"]}}


class Example(Strict):
    """Calls in one task, at its own seed, worked out by hand and not by running the domain."""

    task: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]+/[0-9]+$")]
    """Split and index, such as train/0; variants play only the first of several examples of a task."""
    because: str = ""
    """The rule that it shows, in a sentence."""
    says: str = ""
    """Sentences that it shows to be true, word for word from the prompt or a description."""
    opening: str = ""
    """Words in the opening messages."""
    calls: Annotated[list[ExpectedCall], Field(min_length=1)]
    """In order."""
    returns: Annotated[float, Field(strict=False)] | None = None
    """The return, if the agent stops there."""

    @property
    def made(self) -> list[tuple[str, ExpectedCall]]:
        """Each call by itself, with its number from 1 and, if it is repeated, which time it is."""
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
        """Index in `calls` of the first that ends the episode; None if none does."""
        return next((place for place, call in enumerate(self.calls) if call.done), None)

    @property
    def split(self) -> str:
        """The split of its task."""
        return self.task.partition("/")[0]

    @property
    def index(self) -> int:
        """The index of its task in the split."""
        return int(self.task.partition("/")[2])
