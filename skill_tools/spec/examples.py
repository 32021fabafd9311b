"""Worked examples, which explain the rules by calls in one task and their expected results."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, model_validator

from skill_tools.spec.parameters import Strict


class ExpectedCall(Strict):
    """A tool call of a worked example, and its expected result. Fields that are left out are not compared."""

    tool: str
    """The tool to call; use an unknown one to show that it is refused. Left out if `message` is there."""
    message: str | None = None
    """The text of a message without tool calls, in place of tool and arguments."""
    calls: list[dict[str, Any]] | None = None
    """The tool calls of the message, each with name and arguments, if they are graded."""
    arguments: dict[str, Any] = {}
    """The call's arguments; use invalid ones to show a refusal."""
    shows: str = ""
    """Words that the observation contains, in this case; runs of whitespace count as one space."""
    hides: str = ""
    """Words that the observation does not contain, in this case."""
    refused: bool = False
    """Whether the call is refused."""
    reward: Annotated[float, Field(strict=False)] | None = None
    """The reward of this call alone."""
    done: bool | None = None
    """Whether the episode is over after this call; the calls that follow are then made after the end."""
    times: Annotated[int, Field(ge=1, le=1000)] = 1
    """Number of times to make this call in a row; `done: true` applies to the last one, the other fields to each."""

    @model_validator(mode="before")
    @classmethod
    def _as_call(cls, data: Any) -> Any:
        if not isinstance(data, dict) or not isinstance(data.get("message"), str):
            return data
        if {"tool", "arguments"} & data.keys():
            return data
        graded = {"calls": data["calls"]} if data.get("calls") is not None else {}
        return {**data, "tool": "message", "arguments": {"text": data["message"], **graded}}


class Example(Strict):
    """Calls in one task with the task's own seed, and their results, which the author derives by hand, not by
    running the domain.
    """

    task: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]+/[0-9]+$")]
    """Split and index, such as train/0; variants play only the first of several examples of a task."""
    because: str = ""
    """The rule that the example shows, in a sentence."""
    says: str = ""
    """Sentences that the example shows to be true, word for word from the prompt or a description."""
    opening: str = ""
    """Words that the opening messages contain."""
    calls: Annotated[list[ExpectedCall], Field(min_length=1)]
    """The calls, in order."""
    returns: Annotated[float, Field(strict=False)] | None = None
    """The return, if the agent stops after the last call."""

    @property
    def made(self) -> list[tuple[str, ExpectedCall]]:
        """Return each call with its number, such as "3", or "3 (1 of 2)" for the first of two repetitions."""
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
        """Index in `calls` of the first call that ends the episode; None if no call ends it."""
        return next((place for place, call in enumerate(self.calls) if call.done), None)

    @property
    def split(self) -> str:
        """The split of the example's task."""
        return self.task.partition("/")[0]

    @property
    def index(self) -> int:
        """The index of the example's task in the split."""
        return int(self.task.partition("/")[2])
