"""ISO002 to 004: answers that stand where the agent sees them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from skill_tools.checks.check import Hit, Place, check, skip
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
    trusts="nothing",
)
def answer_in_prompt(evidence: Evidence) -> Iterator[Hit]:
    """No prompt contains the value of a hidden task field.

    The agent would only have to read, and would learn nothing but that.
    """
    several = _with_secrets(evidence)
    if not several:
        yield skip(TOO_SHORT)
    for trajectory, secrets in several:
        text = _text([message.get("content") for message in trajectory.prompt])
        for field, value in secrets:
            if holds(text, value):
                message = f"{named(trajectory)}: the value of {field!r} is in the prompt"
                yield Hit(message, trajectory, Place(task=trajectory.label))


@check(
    "ISO003",
    "answer-in-observation",
    fix="do not show the answer, or parts of it the agent did not say, before the episode is over",
    needs=[HIDDEN, SECRETS, WITH_TASKS],
    after=["ISO002"],
    trusts="nothing",
)
def answer_in_observation(evidence: Evidence) -> Iterator[Hit]:
    """No observation before the end contains a hidden value that the agent did not say itself.

    Answers slip out in error messages and hints. With a backend the agent's own programs print
    what they found: then policies that know the solution are not looked at.
    """
    computed = evidence.declaration.runs_programs
    several = _with_secrets(evidence)
    looked_at = [
        (trajectory, secrets)
        for trajectory, secrets in several
        if not (computed and trajectory.model in SOLVERS)
    ]
    if not any(trajectory.steps for trajectory, _ in looked_at):
        yield skip("no step could show what is hidden" if several else TOO_SHORT)
    for trajectory, secrets in looked_at:
        said = ""
        for number, step in enumerate(trajectory.steps, 1):
            said += _text(step.arguments)
            for field, value in secrets:
                leaked = not step.done and holds(step.text.lower(), value) and value not in said
                if leaked and not (trajectory.model in SOLVERS and _spelt(value, step)):
                    message = f"{named(trajectory)}: step {number} shows the value of {field!r}"
                    place = Place(task=trajectory.label, tool=step.tool)
                    yield Hit(message, trajectory, place)


def _spelt(value: str, step: Step) -> bool:
    """Whether a call gave most letters of a long value, as one that says what each letter of a cipher means."""
    letters = {letter for letter in value if letter.isalpha()}
    given = letters & set(_text(step.arguments))
    return len(letters) >= LETTERS and len(given) >= MOSTLY * len(letters)


LETTERS = 8
"""Different letters from which a value is a text: few single words have as many."""
MOSTLY = 0.6
"""Share of these letters that a call says itself: then it is the agent that spelt the value."""


@check(
    "ISO004",
    "answer-in-tools",
    fix="write tool descriptions that hold for every task",
    needs=[HIDDEN, SECRETS, TOOLS, TASKS],
    trusts="nothing",
)
def answer_in_tools(evidence: Evidence) -> Iterator[Hit]:
    """No tool schema contains the value of a hidden task field.

    Schemas are sent with every request, whatever the task.
    """
    dealt = TASKS.of(evidence)
    said = {tool["name"]: _text((tool["name"], *_said(tool))) for tool in TOOLS.of(evidence)}
    values = [
        (number, field, value)
        for number, task in enumerate(dealt.tasks)
        for field, value in _secrets(evidence, task)
    ]
    if not said or not values:
        yield skip(TOO_SHORT if said else "no tool has a schema")
    for number, field, value in values:
        tool = next((name for name, text in said.items() if value in text), None)
        if tool is not None:
            identity = dealt.tasks[number].get("id", "?")
            message = f"the value of {field!r} of task {identity} is in a tool schema"
            yield Hit(message, place=Place(task=f"{dealt.split}/{number}", tool=tool))


def _with_secrets(evidence: Evidence) -> list[tuple[Trajectory, list[tuple[str, str]]]]:
    """Every episode whose task hides something that can be looked for, and that."""
    pairs = ((trajectory, _secrets(evidence, task)) for trajectory, task in evidence.with_tasks)
    return [(trajectory, secrets) for trajectory, secrets in pairs if secrets]


def _secrets(evidence: Evidence, task: dict[str, Any]) -> list[tuple[str, str]]:
    """Every scalar of the hidden fields in lower case, if too long to be found by chance."""
    values = [
        (field, str(value).lower())
        for field in HIDDEN.of(evidence)
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
TOO_SHORT = "nothing that is hidden is long enough to be looked for: it would be found by chance"


CHECKS = (
    answer_in_prompt,
    answer_in_observation,
    answer_in_tools,
)
