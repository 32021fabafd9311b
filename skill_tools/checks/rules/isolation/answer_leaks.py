"""ISO: whether episodes keep to themselves, and answers stay out of the agent's sight."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from skill_tools.checks.check import check
from skill_tools.checks.reading.episodes import difference, named
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Step, Trajectory


@check(
    "ISO001",
    "episodes-share-state",
    fix="keep all state on the instance (self.x in __init__), none on the class or the module",
    needs=["reference", "interleaved", "reversed"],
    after=["DET001"],
)
def episodes_share_state(evidence: Evidence) -> Iterator[str]:
    """Episodes played in turn in one process are the same as each played alone.

    A server plays many episodes at once; a list on the class is shared by all of them.
    """
    declared = evidence.declaration
    for label, why in evidence.unsolved.items():
        if why.alone:
            yield (
                f"the oracle solves {label} in a process of its own, but not after other tasks: "
                f"{why.message}"
            )
    ((policy, by_label),) = evidence.leading.items()
    for label, alone in by_label.items():
        if alone.end == "failed" or label not in evidence.interleaved:
            continue
        if found := difference(evidence.interleaved[label], alone, declared):
            yield f"{policy} on {label}: {found} differs when other episodes run beside it"
        elif found := difference(evidence.reversed[label], alone, declared):
            yield f"{policy} on {label}: {found} differs when other episodes ran before it"


@check(
    "ISO002",
    "answer-in-prompt",
    fix="keep the answer out of observe() and the prompts",
    needs=["hidden", "secrets", "with_tasks"],
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
    needs=["hidden", "secrets", "with_tasks"],
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
    needs=["hidden", "secrets", "tools", "tasks"],
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


def stands_in(words: str, text: str) -> bool:
    """Whether words stand in a text as they are, and not within other words."""
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) is not None


def holds(text: str, value: str) -> bool:
    """Whether a text has a value in it; a short one as a word of its own."""
    if len(value) >= LONG or value not in text:
        return value in text
    return stands_in(value, text)


def _said(schema: dict[str, Any]) -> Iterator[Any]:
    """What a tool or one of its parameters says in words and defaults, and what is inside it."""
    yield schema.get("description"), schema.get("default")
    inner = [schema.get("parameters"), schema.get("items"), *schema.get("properties", {}).values()]
    for each in inner:
        if isinstance(each, dict):
            yield from _said(each)


def _text(value: Any) -> str:
    """Every scalar of some data as one text, in lower case and without any escapes."""
    return "\n".join(str(scalar) for scalar in scalars(value)).lower()


def scalars(value: Any) -> Iterator[Any]:
    """Every scalar of some JSON data, but None and booleans."""
    if isinstance(value, dict | list | tuple):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from scalars(inner)
    elif value is not None and not isinstance(value, bool):
        yield value


SOLVERS = frozenset({"oracle", "past_done", "early_stop"})
"""Policies that play the author's solution, or a part of it."""

LONG = 5
"""Characters from which a value is not found within another word by chance."""
SHORTEST = 3
"""Characters; a shorter value is found in any text."""

CHECKS = (episodes_share_state, answer_in_prompt, answer_in_observation, answer_in_tools)
