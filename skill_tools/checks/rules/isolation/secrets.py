"""The secrets of a task: its hidden values, and the content of the call that decides the task."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from skill_tools.checks.needs import HIDDEN
from skill_tools.checks.reading.texts import common, holds, opening, scalars, text_of, words_of
from skill_tools.checks.rules.isolation.leak import Secret, Subject
from skill_tools.evidence.calls import calls_of, decided
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Trajectory

Known = Callable[[Subject], list[Secret]]
SHORTEST = 3
"""Minimum length of a hidden value; shorter ones occur in any text."""
SHORTEST_SAID = 4
"""Minimum length of a text in a call; it is longer because such a text is not declared to be a secret."""
LEAST = 5
"""Minimum tasks whose openings contain the oracle's answer, to rule out chance."""
MOSTLY = 0.8
"""Minimum share of tasks whose openings contain it."""
PASSAGE = 12
"""Minimum words of a field's text from which it is a passage, and not a hint."""
_DECODING = re.compile(r"base ?64|hex|decod|encod|cipher|decrypt", re.IGNORECASE)


def hidden(evidence: Evidence) -> Known:
    """Return a function that gives the values of a task's hidden fields."""
    fields = HIDDEN.of(evidence)
    return lambda subject: _values(evidence, subject.task or {}, fields)


def withheld(evidence: Evidence) -> Known:
    """Return a function that gives hidden values, without values that a simulated user or player may reveal."""
    roles = evidence.spec.models.values() if evidence.spec else ()
    known = {field for role in roles if role.purpose != "judge" for field in role.hidden}
    fields = [field for field in HIDDEN.of(evidence) if field not in known]
    return lambda subject: _values(evidence, subject.task or {}, fields)


def singled_out(evidence: Evidence) -> Known:
    """Return a function that gives hidden values, except values that a prompt contains by its nature.

    For example, a passage contains the answers to all questions about the passage: of other tasks, or as the text of
    a field. If the agent must order items that the prompt lists, only the complete list of items is a secret.
    """
    known, secret = hidden(evidence), HIDDEN.of(evidence)
    public = sorted(evidence.declaration.placeholders - set(secret))
    # What the prompts of all tasks have in common reveals no answer.
    template = (evidence.declaration.prompt or "").lower()
    pools: dict[str, set[str]] = defaultdict(set)
    for task in evidence.reference.tasks.tasks if evidence.reference.tasks else []:
        for value in _values(evidence, task, secret):
            pools[value.field].add(value.text)

    def of(subject: Subject) -> list[Secret]:
        seen = opening(subject.trajectory).lower() if subject.trajectory else ""
        shown = [text.lower() for name in public for text in _texts(evidence, subject, name)]
        passages = [template, *(text for text in shown if len(text.split()) >= PASSAGE)]
        by_field: dict[str, list[str]] = defaultdict(list)
        for value in known(subject):
            by_field[value.field].append(value.text)
        return [
            Secret(text, field)
            for field, own in by_field.items()
            if not any(holds(seen, other) for other in pools[field].difference(own))
            for text in (
                [", ".join(own)] if _given(own, subject.task, public) else _secret_parts(own)
            )
            if not any(holds(passage, text) for passage in passages)
        ]

    return of


def _texts(evidence: Evidence, subject: Subject, field: str) -> list[str]:
    """Return the text of a task's field, or the texts within earlier messages: a dialogue is no passage."""
    value = (subject.task or {}).get(field)
    if field == evidence.declaration.history:
        return list(map(str, scalars(value)))
    return [text_of(value)]


def _secret_parts(texts: list[str]) -> list[str]:
    """Return the parts of a value that are secrets on their own; a number among several parts may occur by chance."""
    return [text for text in texts if len(texts) == 1 or not text.strip("-").isdigit()]


def _values(evidence: Evidence, task: dict[str, Any], fields: list[str]) -> list[Secret]:
    """Return the values of a task's hidden fields.

    The whole text of a field counts as one value if the field contains tool calls. So does an object, such as a wanted
    state, if other fields that are not hidden contain all of its values, as the state at the start does.
    """
    public = [name for name in task if name not in ("id", *evidence.secrets)]
    found = []
    for field in fields:
        own = [str(value).lower() for value in scalars(task.get(field))]
        state = isinstance(task.get(field), dict) and _given(own, task, public)
        if state or _holds_call(task.get(field), evidence):
            own = [", ".join(own)]
        found += [Secret(text, field) for text in own]
    return [secret for secret in dict.fromkeys(found) if len(secret.text) >= SHORTEST]


def _given(texts: list[str], task: dict[str, Any] | None, fields: Iterable[str]) -> bool:
    """Return whether a task's fields contain each of several texts."""
    given = "\n".join(text_of((task or {}).get(name)) for name in fields).lower()
    return len(texts) > 1 and all(holds(given, text) for text in texts)


def _holds_call(value: Any, evidence: Evidence) -> bool:
    """Return whether JSON data contains a tool's name and a mapping of arguments next to each other."""
    parts = list(value.values() if isinstance(value, dict) else value) if _nested(value) else []
    names = [part for part in parts if isinstance(part, str)]
    calls = any(isinstance(part, dict) for part in parts)
    if calls and evidence.declaration.parameters.keys() & names:
        return True
    return any(_holds_call(part, evidence) for part in parts)


def _nested(value: Any) -> bool:
    return isinstance(value, dict | list | tuple)


def answers(evidence: Evidence) -> Known:
    """Return a function that gives the secrets that solve a task: hidden values, and values in the task's deciding
    call.

    A value that decides several tasks, or that is one of a few choices, reveals nothing about a single task.
    """
    choices = {
        value
        for parameters in evidence.declaration.parameters.values()
        for schema in parameters.values()
        for value in schema.get("enum", ())
    }
    found: dict[str, list[str]] = {}
    for label, trajectory in oracle(evidence).items():
        task = (evidence.reference.tasks.of(trajectory) if evidence.reference.tasks else None) or {}
        values: list[Any] = [s.text for s in _values(evidence, task, evidence.secrets)]
        given = decided(trajectory)
        said = given.values() if isinstance(given, dict) else ()
        values += [v for v in said if isinstance(v, str | int | float) and not _chosen(v, choices)]
        texts = {str(value).strip().lower() for value in values}
        found[label] = sorted(text for text in texts if len(text) >= SHORTEST_SAID)
    several = [text for texts in found.values() for text in texts]
    alone = {
        label: [Secret(text) for text in texts if several.count(text) * 2 <= max(2, len(found))]
        for label, texts in found.items()
    }
    return lambda subject: alone.get(subject.place, [])


def _chosen(value: Any, choices: set[Any]) -> bool:
    return isinstance(value, bool) or value in choices


def answers_alone(evidence: Evidence) -> Known:
    """Return the same function as ``answers`` if most tasks reward the deciding call alone and no field is hidden.

    Otherwise, return a function that gives no secrets: if a task takes further calls, the deciding call's content
    is not an answer.
    """
    right = evidence.probed.attempts.get("right", []) if evidence.probed else []
    paid = {each.of for each in right if each.trajectory.total}
    known = answers(evidence)
    asked = [label for label in oracle(evidence) if known(Subject(label))]
    most = sum(label in paid for label in asked) >= MOSTLY * len(asked)
    if evidence.secrets or len(asked) < LEAST or not most:
        return lambda subject: []
    return known


def said(evidence: Evidence) -> Known:  # it is in the episode
    """Return a function that gives each value in the deciding call, and the list of all values, joined with commas."""

    def of(subject: Subject) -> list[Secret]:
        given = decided(subject.trajectory) if subject.trajectory else {}
        texts = [str(value).casefold() for value in scalars(given)]
        return [Secret(text) for text in dict.fromkeys([*texts, ", ".join(texts)]) if text]

    return of


def deciding_words(evidence: Evidence) -> Known:
    """Return a function that gives the words and numbers in the deciding call that the opening does not contain.

    The function gives no words if the opening asks the agent to decipher a text.
    """
    openings = {label: opening(each) for label, each in oracle(evidence).items()}
    every = {label: words_of(text) for label, text in openings.items()}
    shared = common(list(every.values()))

    def of(subject: Subject) -> list[Secret]:
        text = openings.get(subject.place, "")
        if subject.trajectory is None or _DECODING.search(text):
            return []
        words = _decides(subject.trajectory)
        own = set(every[subject.place] - shared)
        return [Secret("", words=frozenset(words - own), of=len(words))] if words else []

    return of


def _decides(trajectory: Trajectory) -> set[str]:
    given = decided(trajectory)
    texts = [v for v in (given.values() if isinstance(given, dict) else ()) if isinstance(v, str)]
    return {word for word in words_of(" ".join(texts)) if len(word) > 1}


def fields(evidence: Evidence) -> Known:
    """Return a function that gives the values of all fields of a task, hidden or not, and the task's answers."""
    known = answers(evidence)

    def of(subject: Subject) -> list[Secret]:
        task = subject.task or {}
        return [*_values(evidence, task, list(task)), *known(subject)]

    return of


def anything(evidence: Evidence) -> Known:  # it requires nothing
    """Return a function that gives an empty secret, which every text contains.

    This function is for places that should have no text.
    """
    return lambda subject: [Secret("")]


def oracle(evidence: Evidence) -> dict[str, Trajectory]:
    """Return the oracle's episodes on the bare domain."""
    return (evidence.reference.episodes or {}).get("oracle", {})


def solves(trajectory: Trajectory) -> bool:
    """Return whether an episode has any call that could decide the task."""
    return bool(calls_of(trajectory))
