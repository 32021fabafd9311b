"""SPE: the promises of the env spec to the agent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from skill_tools import backends
from skill_tools.checks.check import Hit, Place, Status, check, note, skip
from skill_tools.checks.needs import (
    EXCEPTIONS,
    HIDDEN,
    IMPORTS,
    PROMPT,
    SECRETS,
    SPEC,
    SURVEY,
    TOOLS,
)
from skill_tools.evidence.evidence import Evidence


@check(
    "SPE001",
    "observation-not-shown",
    fix="put {observation} into prompt.user, or give the agent a tool without parameters that returns the observation",
    needs=[PROMPT, TOOLS],
    trusts="nothing",
)
def observation_not_shown(evidence: Evidence) -> Iterator[Hit]:
    """The prompt shows the first observation to the agent, or a tool without parameters returns it.

    A policy that cannot see its starting state learns only actions that suit an average start.
    """
    declared = evidence.declaration
    can_look = not all(declared.parameters.values())
    # A question may be a field of the task, and a conversation shows the rest.
    shown = (
        declared.placeholders if declared.messages else {"observation"} & set(declared.placeholders)
    )
    if not shown and not can_look:
        yield Hit(
            "no prompt uses {observation}, and no tool without parameters returns the observation"
        )


@check(
    "SPE002",
    "undescribed-parameter",
    fix="describe the parameter: its meaning, its unit and where counting starts",
    needs=[TOOLS],
    trusts="nothing",
)
def undescribed_parameter(evidence: Evidence) -> Iterator[Hit]:
    """Every tool parameter has a description.

    Without a description, a model has to guess (for example, whether columns start at 0 or 1), and loses reward.
    """
    for tool, declared in evidence.declaration.parameters.items():
        for name, schema in declared.items():
            if not schema.get("description"):
                message = f"tools.{tool}.parameters.{name} has no description"
                # We require it of our own environments; most others leave it out. The name of a text, such as `city`,
                # says what it is; the name of a number says neither its unit nor where counting starts.
                level: Status | None = None
                if evidence.audit.audited:
                    level = "warn" if _counts(schema) else "note"
                yield Hit(message, place=Place(tool=tool, parameter=name), level=level)
            for path in _undescribed(schema) if not evidence.audit.audited else ():
                message = f"tools.{tool}.parameters.{name}: its field {path} has no description"
                yield Hit(message, place=Place(tool=tool, parameter=name))
    if not any(evidence.declaration.parameters.values()):
        yield skip("no tool has a parameter")


def _counts(schema: Mapping[str, Any]) -> bool:
    """Return whether a parameter is a number, or a list of numbers."""
    inner = schema.get("items") if schema.get("type") == "array" else schema
    return isinstance(inner, Mapping) and inner.get("type") in ("integer", "number")


def _undescribed(schema: Mapping[str, Any]) -> Iterator[str]:
    """Yield the paths of fields without a description inside a parameter."""
    for name, field in schema.get("properties", {}).items():
        if not field.get("description"):
            yield name
        yield from (f"{name}.{path}" for path in _undescribed(field))
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), Mapping):
            yield from _undescribed(schema[key])


@check(
    "SPE003",
    "unknown-placeholder",
    fix="use {observation} or a field that every task has",
    needs=[PROMPT, SURVEY],
    trusts="nothing",
)
def unknown_placeholder(evidence: Evidence) -> Iterator[Hit]:
    """Every placeholder in the prompt is a field of every task.

    If a placeholder is not filled in, the model sees its braces.
    """
    fields_wanted = sorted(evidence.declaration.placeholders - {"observation"})
    if not fields_wanted:
        yield skip("the prompt has no placeholder for a field of a task")
    for field in fields_wanted:
        without = [name for name, fields in _tasks(evidence) if field not in fields]
        if without:
            message = f"{{{field}}} is not a field of {without[0]} ({len(without)} in all)"
            yield Hit(message, place=Place(task=without[0]))


@check(
    "SPE004",
    "hidden-field-not-in-tasks",
    fix="correct the name under `hidden`, or remove the name",
    needs=[HIDDEN, SECRETS, SURVEY],
    trusts="nothing",
)
def hidden_field_not_in_tasks(evidence: Evidence) -> Iterator[Hit]:
    """Every field listed under `hidden` exists in some task.

    A misspelled name hides nothing, so servers send the real field to clients.
    """
    for field in HIDDEN.of(evidence):
        if not any(field in fields for _, fields in _tasks(evidence)):
            yield Hit(f"no task has a field {field!r}")


@check(
    "SPE005",
    "duplicate-task-id",
    fix="give every task an id that is unique across all splits",
    needs=[SURVEY],
    trusts="nothing",
)
def duplicate_task_id(evidence: Evidence) -> Iterator[Hit]:
    """No two tasks have the same id, within or across splits.

    If a task is in both train and test, the test measures memorization. If two tasks share an id, results that
    are stored by id overwrite each other.
    """
    seen: dict[str, str] = {}
    for split, tasks in SURVEY.of(evidence).items():
        for index, (identity, _) in enumerate(tasks):
            if identity is None:
                continue
            first = seen.setdefault(str(identity), f"{split}/{index}")
            if first != f"{split}/{index}":
                message = f"{first} and {split}/{index} both have the id {identity!r}"
                yield Hit(message, place=Place(task=f"{split}/{index}"))
    if not seen:
        yield skip("no task has an id")


@check(
    "SPE006",
    "unused-exception",
    fix="remove the entry from exceptions in env.yaml, or correct its check, split, task, tool, parameter or file",
    needs=[EXCEPTIONS],
    level="warn",
    trusts="nothing",
)
def unused_exception(evidence: Evidence) -> Iterator[Hit]:
    """Every exception in env.yaml names an existing check and applies to a finding.

    An exception that applies to no finding may hide a later defect. This check runs after all others.
    """
    splits = evidence.reference.survey or {}
    for each in evidence.declaration.exceptions:
        if each.split and splits and each.split not in splits:
            yield Hit(
                f"the exception for {each.check} names the split {each.split!r}, which does not exist; "
                f"splits: {', '.join(splits)}"
            )
        if each.where:
            yield note(
                f"the exception for {each.check} uses `where`, the words of a message; `where` is "
                "deprecated because messages may change with any release: name a task, tool, "
                "parameter or file instead"
            )


@check(
    "SPE007",
    "secret-not-listed",
    fix="list the variable under `secrets` in env.yaml, so that rollouts require the variable and pass it on",
    needs=[IMPORTS, SPEC],
    level="warn",
    trusts="nothing",
)
def secret_not_listed(evidence: Evidence) -> Iterator[Hit]:
    """Every environment variable that the domain reads and that is named like a secret is under `secrets`.

    A variable that is named like a secret (key, token, password) must be listed, or the processes that play episodes do
    not get it. An unlisted variable is unset in these processes, even if it is set on this machine.
    """
    listed = backends.kept_variables(SPEC.of(evidence))
    for file, read in (evidence.variables or {}).items():
        for name, line in read.items():
            if name not in listed:
                message = f"{file}:{line} reads {name}, which env.yaml does not list under secrets"
                yield Hit(message, place=Place(file=file, line=line))


def _tasks(evidence: Evidence) -> Iterator[tuple[str, list[str]]]:
    for split, tasks in SURVEY.of(evidence).items():
        for index, (_, fields) in enumerate(tasks):
            yield f"{split}/{index}", fields


CHECKS = (
    observation_not_shown,
    undescribed_parameter,
    unknown_placeholder,
    hidden_field_not_in_tasks,
    duplicate_task_id,
    unused_exception,
    secret_not_listed,
)
