"""Claims: defects that a reader of an environment suspects, each with experiments that can show the defect."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from skill_tools.spec.parameters import Strict
from skill_tools.spec.readers.documents import read_reader_file

MOST_CLAIMS = 100
"""Maximum claims of one reader: a reader who writes more has not chosen."""
MOST_EXPERIMENTS = 40
"""Maximum experiments of one claim: enough for each affected row of a small data set."""
WRITE_CLAIMS = "write the list claims:, as described at the end of the brief"
WRITE_ANSWERS = "write the list answers:, as described at the end of the questions"
SIDES = "as"
"""The field of an experiment with the actions to compare with."""

Must = Literal[
    "earn-top",
    "earn-nothing",
    "earn",
    "earn-same",
    "earn-more",
    "not-depend",
    "agree",
    "not-read",
    "not-show",
]
"""What must hold in an experiment; the claim is that it does not."""
Circumstance = Literal["order", "batch", "thread", "repetition", "seed"]
"""What a reward must not depend on."""
NEEDS: Mapping[str, tuple[str, ...]] = {
    "earn-top": ("acts",),
    "earn-nothing": ("acts",),
    "earn": ("acts", "reward"),
    "earn-same": ("acts", SIDES),
    "earn-more": ("acts", SIDES),
    "not-depend": ("acts", "circumstance"),
    "agree": ("rows", "differ"),
    "not-read": ("acts", "file"),
    "not-show": ("text",),
}
"""The fields that each kind of experiment needs; ``acts`` stands for a task with a reply or calls."""

TaskName = Annotated[
    str,
    BeforeValidator(lambda it: str(it) if isinstance(it, int) else it),
    Field(pattern=r"^([A-Za-z0-9_.-]+/)?[0-9]+$"),
]
"""A row's number from 0, or split/index."""


def _one_line(text: str) -> str:
    """Return a text on one line, without the control characters that a terminal would obey."""
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())


Line = Annotated[str, AfterValidator(_one_line)]
"""Words for a report."""


class ClaimedCall(Strict):
    """A tool call of an experiment, or a message, written as in examples.yaml."""

    tool: str
    arguments: dict[str, Any] = {}

    @model_validator(mode="before")
    @classmethod
    def _as_call(cls, data: Any) -> Any:
        if isinstance(data, dict) and data.keys() == {"message"}:
            return {"tool": "message", "arguments": {"text": data["message"]}}
        return data


class Acts(Strict):
    """The actions of an experiment in a task: a reply, or tool calls followed by a reply."""

    task: TaskName | None = None
    """The row's number from 0, or split/index; in ``as``, the same task if left out."""
    reply: str | None = None
    """The model's text; with calls, its last message."""
    calls: Annotated[list[ClaimedCall], Field(max_length=500)] = []
    """The tool calls, in order."""
    seed: int | None = None
    """The episode's seed, if not the task's own."""

    @property
    def there(self) -> bool:
        """Whether the experiment has any action."""
        return self.reply is not None or bool(self.calls)


class Experiment(Acts):
    """Actions to play, and the condition that must hold. The claim is confirmed if the condition does not hold."""

    must: Must
    reward: Annotated[float, Field(strict=False)] | None = None
    """The reward that `earn` expects."""
    compared: Annotated[Acts | None, Field(alias=SIDES)] = None
    """What `earn-same` and `earn-more` compare with."""
    circumstance: Circumstance | None = None
    """What `not-depend` varies."""
    others: Annotated[list[Acts], Field(max_length=50)] = []
    """The actions to play before it, in its batch or at the same time, if `circumstance` is order, batch or thread."""
    rows: Annotated[list[TaskName], Field(max_length=20)] = []
    """The rows that `agree` compares."""
    differ: str = ""
    """The column in which these rows contradict each other."""
    same: list[str] = []
    """The columns in which these rows are the same, so that the other column should be as well."""
    file: str = ""
    """The file, relative to the environment's folder, that `not-read` protects."""
    text: str = ""
    """The words that `not-show` forbids, in this case."""

    @model_validator(mode="after")
    def _complete(self) -> Experiment:
        for need in NEEDS[self.must]:
            if need == "acts" and not (self.task is not None and self.there):
                raise ValueError(f"{self.must} needs a task, and a reply or calls")
            if need == SIDES and not (self.compared and self.compared.there):
                raise ValueError(f"{self.must} needs {SIDES}: with a reply or calls")
            if need in ("reward", "circumstance") and getattr(self, need) is None:
                raise ValueError(f"{self.must} needs {need}:")
            if need in ("differ", "file", "text") and not getattr(self, need).strip():
                raise ValueError(f"{self.must} needs {need}:")
            if need == "rows" and len(self.rows) < 2:
                raise ValueError(f"{self.must} needs two or more rows:")
        if self.must == "not-show" and self.task is None:
            raise ValueError("not-show needs a task")
        return self

    @property
    def id(self) -> str:
        """A digest that identifies the experiment until its content changes."""
        text = json.dumps(self.model_dump(mode="json"), sort_keys=True)
        return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8]


class Claim(Strict):
    """A suspected defect, with its cause, its place, and experiments that can show it."""

    cause: Annotated[Line, Field(min_length=10, max_length=1000)]
    """The cause, in a sentence."""
    place: Annotated[Line, Field(max_length=300)] = ""
    """Its place: file:line, or a column or row of the data."""
    experiments: Annotated[list[Experiment], Field(max_length=MOST_EXPERIMENTS)] = []
    """What shows it; without any, the claim is an opinion, which judges nothing."""

    @model_validator(mode="before")
    @classmethod
    def _listed(cls, data: Any) -> Any:
        if isinstance(data, dict) and "experiment" in data and "experiments" not in data:
            rest = {name: value for name, value in data.items() if name != "experiment"}
            return {**rest, "experiments": [data["experiment"]]}
        return data


class Claims(Strict):
    """The claims of a reader who has read the whole environment.

    ``read`` lists the files that were read. ``top`` and ``nothing`` are the rewards of a right answer and of a
    wrong answer, if the environment does not declare them.
    """

    reader: Annotated[Line, Field(max_length=200)] = ""
    """Who read: a model's name, or a person's."""
    read: list[str] = []
    """The files that were read, as named in the brief."""
    top: Annotated[float, Field(strict=False)] | None = None
    nothing: Annotated[float, Field(strict=False)] | None = None
    claims: Annotated[list[Claim], Field(max_length=MOST_CLAIMS)] = []


class SecondAnswer(Strict):
    """A second reader's answer to one question."""

    question: str
    """The question's name."""
    answer: Annotated[
        str,
        BeforeValidator(lambda it: f"{it:g}" if isinstance(it, int | float) else it),
        AfterValidator(_one_line),
        Field(min_length=1, max_length=200),
    ]
    common: Literal["often", "rarely"] = "often"
    """How often replies in training are like this; a trick that works on most tasks counts as often."""
    because: Annotated[Line, Field(max_length=2000)] = ""


class SecondAnswers(Strict):
    """The answers of a second reader, who has seen no claim."""

    reader: Annotated[Line, Field(max_length=200)] = ""
    answers: Annotated[list[SecondAnswer], Field(max_length=MOST_CLAIMS * MOST_EXPERIMENTS)] = []


def read_claims(path: Path) -> Claims | None:
    """Read a file of claims, or return None if the file is missing. Raises SpecError with every problem found."""
    return read_reader_file(path, Claims, WRITE_CLAIMS)


def read_answers(path: Path) -> SecondAnswers | None:
    """Read a second reader's answers, or return None if the file is missing. Raises SpecError with every problem
    found."""
    return read_reader_file(path, SecondAnswers, WRITE_ANSWERS)


def first_acts(experiment: Experiment) -> Sequence[Acts]:
    """Return the actions of an experiment, and the other actions with which the experiment compares them."""
    other = experiment.compared
    if other is None:
        return [experiment]
    return [experiment, other if other.task else other.model_copy(update={"task": experiment.task})]
