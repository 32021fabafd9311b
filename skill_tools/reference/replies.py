"""The replies of the process that runs the author's code, with a data model for each of its jobs."""

from __future__ import annotations

import functools
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from skill_tools.errors import DomainError
from skill_tools.evidence.studied import NoisyOracleEpisode, OracleEpisode
from skill_tools.evidence.surveyed import (
    Chance,
    Coverage,
    Endured,
    Foreseen,
    Opened,
    RandomEpisode,
    ShownTask,
    Solved,
    Unbroken,
    Undealt,
)
from skill_tools.evidence.trajectory import Record, Tried


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class DomainLook(_Answer):
    """The result of importing the domain; the fields are those of ``DomainClass``."""

    tools: dict[str, list[str]]
    missing: list[str]
    invalid_action: bool
    closes: bool
    status: bool


class SolvedReply(Solved):
    """The oracle's episode on one task, without the environment's name.

    Attributes:
        own: The task's own seed, if it was determined.
        first: Whether the task was chosen because it differs from others.
        played: The episode, if it was kept.
    """

    own: int | None = None
    first: bool = False
    played: Tried | None = None
    shown: None = None


class WanderedReply(RandomEpisode):
    """An episode of random legal play, without the environment's name; the fields are those of ``SolvedReply``."""

    own: int | None = None
    played: Record | None = None
    shown: None = None


class ForeseenReply(Foreseen):
    """A decision of the oracle, as in ``Foreseen``, but its episode has no environment name."""

    played: Tried
    shown: None = None


class ChanceReply(Chance):
    """The result of many deals; the fields are those of ``Chance``."""

    foreseen: list[ForeseenReply]


class Survey(_Answer):
    """The result of examining all tasks; the fields are those of ``Probed``."""

    opened: list[Opened]
    solved: list[SolvedReply]
    read: list[str]
    sizes: dict[str, int]
    undealt: list[Undealt]
    mutated: list[str]


class Judgement(_Answer):
    """A judge's verdict on one reply, or on two replies; ``failure`` is the reason for a missing verdict.

    Attributes:
        score: The score from 0 to 1, or the return if an episode was played.
        criteria: The value of each criterion, from 0 to 1.
        places: The place of the better reply in each vote: first, equal or second. Votes alternate the order.
        model: The model that answered; None if the environment asked no model.
    """

    score: float | None = None
    criteria: dict[str, float] = {}
    places: list[str] = []
    failure: str = ""
    model: str | None = None
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


NO_SURVEY = Survey(opened=[], solved=[], read=[], sizes={}, undealt=[], mutated=[])


class Loose(_Answer):
    """A wrong answer that was rewarded: its task, the task's own seed, and the episode."""

    split: str
    index: int
    seed: int
    played: Tried


class AnswerKey(_Answer):
    """The result of playing each task field that seems to be the answer.

    Attributes:
        solved: The oracle's episodes on tasks that did not reward the field.
        loose: The wrong answers that were rewarded.
    """

    solved: list[SolvedReply]
    loose: list[Loose]


NO_KEY = AnswerKey(solved=[], loose=[])
_CALLS = list[tuple[str, dict[str, Any]]]


ANSWERS: dict[str, Any] = {
    "inspect": DomainLook,
    "count": dict[str, int],
    "deal": dict[str, list[int]],
    "survey": dict[str, list[tuple[Any, list[str]]]],
    "task": dict[str, Any],
    "solve": _CALLS,
    "best": float,
    "wander": _CALLS | None,
    "play": list[Record],
    "try": list[Tried | None],
    "trace": list[list[dict[str, Any]]],
    "solve_seeds": list[SolvedReply],
    "survey_play": Survey,
    "open_various": list[tuple[str, int, str]],
    "foresee": AnswerKey,
    "endure": Endured,
    "break_session": Unbroken | None,
    "ask_often": str,
    "wander_all": list[WanderedReply],
    "reach": Coverage | None,
    "play_chance": ChanceReply,
    "read_settings": list[dict[str, str | int | float]],
    "play_solutions": list[OracleEpisode],
    "climb": list[NoisyOracleEpisode],
    "show_tasks": list[ShownTask],
    "ask_judge": list[Judgement],
    "laze": list[tuple[float | None, int] | None],
}
"""The type of the answer, by job: sizes of splits; checksums of tasks; id and fields of tasks; tasks that failed to
open.
"""


def fit(do: str, what: str, value: Any) -> Any:
    """Return the answer to a job, validated by the job's model; ``what`` names the question in the error.

    If the answer does not fit the model, raises DomainError with the names of the job and the field.
    """
    try:
        return _model(do).validate_python(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "(all of it)"
        raise DomainError(
            f"the reply to {do} ({what}) has the wrong form: field {place}: {first['msg']}\n"
            "    fix: check what the environment's code returns for this field; if it is not the cause, "
            "report this as a defect of skill-tools"
        ) from error


@functools.cache
def _model(do: str) -> TypeAdapter[Any]:
    # Made on first use: it is slow, and one command asks few jobs.
    return TypeAdapter(ANSWERS[do])
