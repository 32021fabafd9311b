"""What the process that runs the author's code may answer: a model for each of its jobs."""

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
    """What importing the domain showed; the fields are those of ``DomainClass``."""

    tools: dict[str, list[str]]
    missing: list[str]
    invalid_action: bool
    closes: bool
    status: bool


class SolvedReply(Solved):
    """The oracle's episode on one task, before it is said whose it is.

    own: the task's own seed, if it was looked up. first: whether the task was chosen for how it differs
    from others. played: the episode, if it was kept.
    """

    own: int | None = None
    first: bool = False
    played: Tried | None = None
    shown: None = None


class WanderedReply(RandomEpisode):
    """An episode of random legal play, before it is said whose it is; the fields as above."""

    own: int | None = None
    played: Record | None = None
    shown: None = None


class ForeseenReply(Foreseen):
    """A decision of the oracle's, before it is said whose its episode is."""

    played: Tried
    shown: None = None


class ChanceReply(Chance):
    """Many deals; the fields are those of ``Chance``."""

    foreseen: list[ForeseenReply]


class Survey(_Answer):
    """What looking at all tasks told; the fields are those of ``Probed``."""

    opened: list[Opened]
    solved: list[SolvedReply]
    read: list[str]
    sizes: dict[str, int]
    undealt: list[Undealt]
    mutated: list[str]


NO_SURVEY = Survey(opened=[], solved=[], read=[], sizes={}, undealt=[], mutated=[])


class Loose(_Answer):
    """A wrong answer that paid: on which task, of which own seed, and the episode."""

    split: str
    index: int
    seed: int
    played: Tried


class AnswerKey(_Answer):
    """What came of playing what a field of each task says is the answer.

    solved: the oracle where it alone does not pay. loose: what was wrong and paid.
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
    "laze": list[tuple[float | None, int] | None],
}
"""By job: sizes of splits; checksums of tasks; id and fields of tasks; what did not open and why."""


def fit(do: str, what: str, value: Any) -> Any:
    """The answer to a job as its model; ``what`` names the question in the error.

    Raises DomainError naming the job and the field that does not fit.
    """
    try:
        return _model(do).validate_python(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "(all of it)"
        raise DomainError(
            f"the answer of {do} ({what}) does not fit: field {place}: {first['msg']}\n"
            "    fix: check what the environment's code returns there; if it returns nothing like this, "
            "this is a defect of skill-tools: report it"
        ) from error


@functools.cache
def _model(do: str) -> TypeAdapter[Any]:
    # Made on first use: it takes a while, and few jobs are asked by one command.
    return TypeAdapter(ANSWERS[do])
