"""ISO002 to 004: answers that stand where the agent sees them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from skill_tools.checks.check import check
from skill_tools.checks.needs import HIDDEN, SECRETS, TASKS, TOOLS, WITH_TASKS
from skill_tools.checks.reading.episodes import named
from skill_tools.checks.reading.texts import _text, holds, scalars
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Step, Trajectory


@check(
    "ISO002",
    "answer-in-prompt",
    fix="keep the answer out of observe() and the prompts",
    needs=[HIDDEN, SECRETS, WITH_TASKS],
)
def answer_in_prompt(evidence: Evidence) -> Iterator[str]:
    """No prompt contains the value of a hidden task field.

    The agent would only have to read, and would learn nothing but that.
    """
    for trajectory, secrets in _with_secrets(evidence):
        text = _text([message.get("content") for message in trajectory.prompt])
        for field, value in secrets:
            if holds(text, value):
                yield f"{named(trajectory)}: the value of {field!r} is in the prompt"


@check(
    "ISO003",
    "answer-in-observation",
    fix="do not show the answer, or parts of it the agent did not say, before the episode is over",
    needs=[HIDDEN, SECRETS, WITH_TASKS],
    after=["ISO002"],
)
def answer_in_observation(evidence: Evidence) -> Iterator[str]:
    """No observation before the end contains a hidden value that the agent did not say itself.

    Answers slip out in error messages and hints. With a backend the agent's own programs print
    what they found: then policies that know the solution are not looked at.
    """
    computed = evidence.declaration.runs_programs
    for trajectory, secrets in _with_secrets(evidence):
        if computed and trajectory.model in SOLVERS:
            continue
        said = ""
        for number, step in enumerate(trajectory.steps, 1):
            said += _text(step.arguments)
            for field, value in secrets:
                told = not step.done and holds(step.text.lower(), value) and value not in said
                if told and not (trajectory.model in SOLVERS and _spelt(value, step)):
                    yield f"{named(trajectory)}: step {number} shows the value of {field!r}"


def _spelt(value: str, step: Step) -> bool:
    """Whether a call gave most letters of a long value, as one that says what each letter of a cipher means."""
    letters = {letter for letter in value if letter.isalpha()}
    given = letters & set(_text(step.arguments))
    return len(letters) >= LETTERS and len(given) >= MOSTLY * len(letters)


LETTERS, MOSTLY = 8, 0.6
"""Different letters of a value that is no word, and the share of them that a call gives."""


@check(
    "ISO004",
    "answer-in-tools",
    fix="write tool descriptions that hold for every task",
    needs=[HIDDEN, SECRETS, TOOLS, TASKS],
)
def answer_in_tools(evidence: Evidence) -> Iterator[str]:
    """No tool schema contains the value of a hidden task field.

    Schemas are sent with every request, whatever the task.
    """
    text = _text([(tool["name"], *_said(tool)) for tool in evidence.declaration.tools])
    for task in evidence.tasks.tasks:
        for field, value in _secrets(evidence, task):
            if value in text:
                yield f"the value of {field!r} of task {task.get('id', '?')} is in a tool schema"


def _with_secrets(evidence: Evidence) -> Iterator[tuple[Trajectory, list[tuple[str, str]]]]:
    for trajectory, task in evidence.with_tasks:
        yield trajectory, _secrets(evidence, task)


def _secrets(evidence: Evidence, task: dict[str, Any]) -> list[tuple[str, str]]:
    """Every scalar of the hidden fields in lower case, if too long to be found by chance."""
    values = [
        (field, str(value).lower())
        for field in evidence.declaration.hidden
        for value in scalars(task.get(field))
    ]
    return [(field, value) for field, value in values if len(value) >= SHORTEST]


def _said(schema: dict[str, Any]) -> Iterator[Any]:
    """What a tool or one of its parameters says in words and defaults, and what is inside it."""
    yield schema.get("description"), schema.get("default")
    inner = [schema.get("parameters"), schema.get("items"), *schema.get("properties", {}).values()]
    for each in inner:
        if isinstance(each, dict):
            yield from _said(each)


SOLVERS = frozenset({"oracle", "past_done", "early_stop"})
"""Policies that play the author's solution, or a part of it."""

SHORTEST = 3
"""Characters; a shorter value is found in any text."""


CHECKS = (
    answer_in_prompt,
    answer_in_observation,
    answer_in_tools,
)
