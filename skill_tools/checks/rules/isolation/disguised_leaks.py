"""ISO005 to 009: what solves a task, read where it should not be, plain or in disguise."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

from skill_tools.checks.check import Hit, Place, check, skip, warn
from skill_tools.checks.needs import ORACLE_PICTURES, REFERENCE, SECRETS, TASKS, unanswered
from skill_tools.checks.reading.disguises import disguises
from skill_tools.checks.reading.episodes import named
from skill_tools.checks.reading.texts import scalars
from skill_tools.checks.rules.isolation.answer_leaks import SOLVERS
from skill_tools.evidence.calls import calls_of, deciding
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Trajectory

SHORTEST = 4
"""Characters; a shorter value is found in any text."""


def answers(evidence: Evidence) -> dict[str, list[str]]:
    """What solves each episode, in lower case: hidden values, and the texts of the deciding call.

    A text that decides several tasks, or is a choice among a few, tells nothing of one task.
    """
    found: dict[str, set[str]] = {}
    enums = {
        value
        for parameters in evidence.declaration.parameters.values()
        for schema in parameters.values()
        for value in schema.get("enum", ())
    }
    for label, trajectory in (evidence.reference or {}).get("oracle", {}).items():
        calls = calls_of(trajectory)
        task = evidence.tasks.of(trajectory) if evidence.tasks else None
        values = [v for field in evidence.secrets for v in scalars((task or {}).get(field))]
        if calls:
            given = calls[deciding(trajectory)][1]
            said = given.values() if isinstance(given, dict) else ()
            values += [v for v in said if isinstance(v, str) and v not in enums]
        texts = {str(value).strip().lower() for value in values}
        found[label] = {text for text in texts if len(text) >= SHORTEST}
    several = [text for texts in found.values() for text in texts]
    return {
        label: sorted(text for text in texts if several.count(text) * 2 <= max(2, len(found)))
        for label, texts in found.items()
    }


@check(
    "ISO005",
    "answer-in-disguise",
    fix="show nothing that is made from the answer before the episode is over",
    needs=[REFERENCE],
    after=["ISO002", "ISO003"],
    trusts="runs",
)
def answer_in_disguise(evidence: Evidence) -> Iterator[Hit]:
    """Nothing the agent sees holds the answer backwards, encoded or spelt out.

    A model decodes base64 as it reads. In an opening it may be the task itself: look there.
    """
    several = _of_others(evidence)
    if not several:
        yield skip(NO_ANSWER)
    for trajectory, texts in several:
        opening = _text([message.get("content") for message in trajectory.prompt])
        place = Place(task=trajectory.label)
        for text in texts:
            for how, form in disguises(text):
                if form in opening and text not in opening:
                    message = f"{named(trajectory)}: the answer is in the prompt {how}"
                    yield warn(message, trajectory, place)
                    break
                number = next((n for n, shown in _shown(trajectory) if form in shown), 0)
                if number and form not in opening:
                    message = f"{named(trajectory)}: step {number} shows the answer {how}"
                    yield Hit(message, trajectory, place)
                    break


@check(
    "ISO006",
    "answer-leaks-before-the-end",
    fix="name no answer in a refusal or an observation before the end; list it under hidden",
    needs=[REFERENCE],
    after=["ISO002", "ISO003", "ISO005"],
    trusts="runs",
)
def answer_leaks_before_the_end(evidence: Evidence) -> Iterator[Hit]:
    """No refusal tells what would have been right, and no opening tells it of every task.

    What the oracle's deciding call says is an answer even where no field is declared hidden.
    """
    opened: list[Trajectory] = []
    refused = shown_after = False
    right = evidence.probed.attempts.get("right", []) if evidence.probed else []
    # Where it takes more than the deciding call, what that says is no answer alone.
    alone = {each.of for each in right if each.trajectory.total}
    several = _of_others(evidence)
    for trajectory, texts in several:
        opening = _text([message.get("content") for message in trajectory.prompt])
        said = ""
        if trajectory.label in alone and any(text in opening for text in texts):
            opened.append(trajectory)
        for number, step in enumerate(trajectory.steps, 1):
            said += _text(step.arguments)
            shown = step.text.lower()
            if not step.error or step.done:
                continue
            refused = True
            for text in texts:
                if text in shown and text not in said and text not in opening:
                    shown_after = True
                    message = f"{named(trajectory)}: step {number}, a refusal, names the answer"
                    place = Place(task=trajectory.label, tool=step.tool)
                    yield Hit(message, trajectory, place)
    noop = [each for each in opened if each.model == "noop"]
    asked = len([1 for texts in answers(evidence).values() if texts])
    compared = not evidence.secrets and bool(alone) and asked >= LEAST
    if compared and len(noop) >= 0.8 * asked:
        message = (
            f"{named(noop[0])}: the prompt has what the oracle answers, "
            f"as in {len(noop)} of {asked} tasks"
        )
        yield warn(message, noop[0], Place(task=noop[0].label))
    elif shown_after:
        return
    elif not several:
        yield skip(NO_ANSWER)
    elif why := unanswered(evidence, "right"):
        yield skip(why)
    elif not refused and not compared:
        yield skip("no call was refused, and too few openings could be compared with the answers")


@check(
    "ISO007",
    "answer-in-task-id",
    fix="number the tasks; ids are listed to clients and written to logs",
    needs=[SECRETS, TASKS],
    trusts="nothing",
)
def answer_in_task_id(evidence: Evidence) -> Iterator[Hit]:
    """No task's id holds the value of a hidden field, in whatever disguise.

    Ids are listed to clients, which may show them to the model.
    """
    values = [
        (number, field, value)
        for number, task in enumerate(TASKS.of(evidence).tasks)
        for field in (evidence.secrets if task.get("id") is not None else ())
        for value in sorted({str(v).lower() for v in scalars(task.get(field))})
        if len(value) >= SHORTEST - 1
    ]
    if not values:
        yield skip("no task has an id, and hides what is long enough to be looked for in it")
    for number, field, value in values:
        identity = TASKS.of(evidence).tasks[number]["id"]
        for how, form in [("", value), *disguises(value)]:
            if len(form) >= SHORTEST - 1 and form in str(identity).lower():
                message = f"the id {identity!r} has the value of {field!r} {how}".rstrip()
                yield Hit(message, place=Place(task=f"{TASKS.of(evidence).split}/{number}"))
                break


@check(
    "ISO008",
    "answer-in-picture-file",
    fix="save pictures without texts: no PngInfo, no comment, no EXIF",
    needs=[REFERENCE, ORACLE_PICTURES],
    trusts="nothing",
)
def answer_in_picture_file(evidence: Evidence) -> Iterator[Hit]:
    """No picture carries text beside its pixels that tells the task's fields.

    Clients show metadata, and some models are given it.
    """
    for trajectory in (evidence.reference or {}).get("oracle", {}).values():
        task = (evidence.tasks.of(trajectory) if evidence.tasks else None) or {}
        for number, step in enumerate(trajectory.steps, 1):
            for block in step.observation:
                metadata = _metadata(block)
                if metadata:
                    known = [
                        f
                        for f in task
                        if any(str(v) in metadata for v in scalars(task[f]) if len(str(v)) > 2)
                    ]
                    message = f"{named(trajectory)}: the picture of step {number} has the text {metadata[:80]!r}"
                    place = Place(task=trajectory.label, tool=step.tool)
                    yield Hit(message, trajectory, place, None if known else "warn")
                    return


@check(
    "ISO009",
    "answer-not-hidden",
    fix="name the field under hidden in env.yaml",
    needs=[REFERENCE, TASKS],
    trusts="runs",
)
def answer_not_hidden(evidence: Evidence) -> Iterator[Hit]:
    """A task field that says what decides the task is declared hidden, unless the prompt shows it.

    Servers list the other fields of tasks to their clients, and write them to logs.
    """
    pairs = [
        (trajectory, task)
        for trajectory in (evidence.reference or {}).get("oracle", {}).values()
        if (task := TASKS.of(evidence).of(trajectory)) and calls_of(trajectory)
    ]
    fields = {
        field for _, task in pairs for field in task if field not in ("id", *evidence.secrets)
    }
    compared = False
    for field in sorted(fields):
        said = [
            (value, [str(v) for v in scalars(calls_of(t)[deciding(t)][1])], t)
            for t, task in pairs
            if len(value := _as_answer(task.get(field))) >= SHORTEST - 1
        ]
        compared = compared or len(said) >= LEAST
        same = [(v, t) for v, given, t in said if v in given or v.casefold() in _disguised(given)]
        if len(same) >= LEAST and len(same) >= 0.8 * len(pairs) and len({v for v, _ in same}) > 2:
            value, first = same[0]
            if value.lower() not in _text([m.get("content") for m in first.prompt]):
                message = (
                    f"{field!r} is what the oracle answers ({value!r} on {first.label}), "
                    "and is not hidden"
                )
                yield Hit(message, first, Place(task=first.label))
    if not compared:
        yield skip("no open field of enough tasks could be what the oracle answers")


def _disguised(given: list[str]) -> set[str]:
    """Texts in disguise, or with each of their letters once and in order; in small letters."""
    texts = [text.casefold() for text in given if len(text) > SHORTEST]
    once = {"".join(sorted(set(text))) for text in texts}
    return once | {way.casefold() for text in texts for _, way in disguises(text)}


def _as_answer(value: Any) -> str:
    """What a task field says as one text, a list as it is written in an answer; "" for other things."""
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value) if isinstance(value, str | int) else ""


def _metadata(block: dict[str, Any]) -> str:
    """The texts of a PNG file (https://www.w3.org/TR/png/#11textinfo), or ""."""
    if block.get("type") != "image":
        return ""
    data = base64.b64decode(block["data"])
    found, at = [], 8
    while data[:4] == b"\x89PNG" and at + 8 <= len(data):
        size, kind = int.from_bytes(data[at : at + 4]), data[at + 4 : at + 8]
        if kind in (b"tEXt", b"iTXt", b"zTXt"):
            text = data[at + 8 : at + 8 + size].decode("utf-8", "replace").replace("\0", " ")
            if not text.startswith(("Software", "date:")):
                found.append(text)
        at += 12 + size
    return " ".join(found)


def _of_others(evidence: Evidence) -> list[tuple[Trajectory, list[str]]]:
    """Episodes of policies that do not know the answer, and the answer of each that has one."""
    known = answers(evidence)
    return [
        (trajectory, known[label])
        for policy, by_label in (evidence.reference or {}).items()
        for label, trajectory in by_label.items()
        if policy not in SOLVERS and known.get(label)
    ]


def _shown(trajectory: Trajectory) -> Iterator[tuple[int, str]]:
    for number, step in enumerate(trajectory.steps, 1):
        if not step.done:
            yield number, step.text.lower()


def _text(value: Any) -> str:
    return "\n".join(str(scalar) for scalar in scalars(value)).lower()


LEAST = 5
NO_ANSWER = "no deciding call says a text of its task alone, and nothing hidden is long enough to be looked for"


CHECKS = (
    answer_in_disguise,
    answer_leaks_before_the_end,
    answer_in_task_id,
    answer_in_picture_file,
    answer_not_hidden,
)
