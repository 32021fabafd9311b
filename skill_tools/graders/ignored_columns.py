"""Columns of a row that state a limit in the prompt, but whose numbers change no reward."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from time import monotonic
from typing import Any

from skill_tools.evidence.grading.graded import Graded, GradedReply
from skill_tools.graders.grader_client import Grader, GradeRequest, spread
from skill_tools.graders.programs.queries import QUERY

TASKS = 6
"""Maximum tasks whose rows are changed: the grader scores each several times."""
FEWEST = 4
"""Minimum tasks that show the numbers of a column."""
COLUMNS = 6
"""Maximum columns to change."""
NEAR = 2
"""Number of refused replies to each task, the most similar to the right one: a tolerance concerns them alone."""
NUMBER = re.compile(r"[-+]?\d{1,12}(?:\.\d{1,6})?")
"""Matches a number in a text that is only this number."""
Trial = tuple[GradeRequest, float | None]
"""A reply to a changed row, and its reward with the unchanged row."""
CHANGES: tuple[Callable[[float], float], ...] = (
    lambda number: number / 4,
    lambda number: number * 2 + 1,
)
"""Other values of a number, one of which a limit excludes. Neither 0 nor a large number, with which a grader may never
end."""
LARGEST = 1e12
"""Numbers from which on none is changed: they are no limits but codes."""
SECONDS = 10.0
"""Seconds after which no further column is changed: a changed row may take a grader long."""


def ignored_columns(
    graded: Graded,
    rows: Mapping[str, Mapping[str, Any]],
    prompts: Mapping[str, str],
    grade: Grader,
) -> list[str]:
    """Return the columns whose numbers the prompt shows and the grader reads, but that change no reward.

    A grader reads a column if it needs a value there. This also shows that it does not score remembered rows.
    """
    right = [e for e in graded.replies if e.must == e.probe == "right" and e.task in graded.best]
    some = spread([each for each in right if each.task in rows], TASKS)
    # Programs and queries run on the data of their row, and the right one does so on any data.
    runs = graded.kind == "code" or any(QUERY.search(each.reply) for each in some)
    if len(some) < FEWEST or runs:
        return []
    matters: dict[str, bool] = {}
    until = monotonic() + SECONDS
    for column in list(rows[some[0].task])[:COLUMNS]:
        if monotonic() > until:
            return []
        tried = [list(_changed(column, change, some, rows, graded)) for change in CHANGES]
        without = [_trial(each, each, {column: None}) for each in some]
        if any(tried) and _changes(without, grade):
            matters[column] = any(_changes(each, grade) for each in tried)
    inert = [column for column, matter in matters.items() if not matter]
    pairs = [(prompts.get(each.task, ""), rows[each.task]) for each in some]
    return [
        column
        for column in inert
        if sum(_shows(prompt, row.get(column)) for prompt, row in pairs) >= FEWEST
    ]


def _changes(tried: Sequence[Trial], grade: Grader) -> bool:
    """Return whether a reward changes, or a reply has no score."""
    grades = grade([ask for ask, _ in tried])
    return any(each.paid != paid for (_, paid), each in zip(tried, grades, strict=True))


def _trial(right: GradedReply, reply: GradedReply, changed: Mapping[str, Any]) -> Trial:
    ask = GradeRequest(right.task, reply.reply, kind="changed row", changed=changed)
    return ask, reply.paid


def _changed(
    column: str,
    change: Callable[[float], float],
    right: Sequence[GradedReply],
    rows: Mapping[str, Mapping[str, Any]],
    graded: Graded,
) -> Iterator[Trial]:
    """Yield right replies, and refused ones, with a changed row."""
    for each in right:
        value = rows[each.task].get(column)
        other = _with_numbers(value, change)
        if other != value:
            yield from (
                _trial(each, reply, {column: other}) for reply in (each, *_near(each, graded))
            )


def _near(right: GradedReply, graded: Graded) -> list[GradedReply]:
    """Return the refused replies to a task that are most similar to the right one."""
    others = [e for e in graded.replies if e.task == right.task and e.must in ("wrong", "doubtful")]
    best = graded.best[right.task]
    refused = [each for each in others if each.paid is not None and each.paid < best]
    alike = lambda each: SequenceMatcher(None, each.reply, right.reply).quick_ratio()
    return sorted(refused, key=alike)[-NEAR:]


def _with_numbers(value: Any, change: Callable[[float], float]) -> Any:
    """Return a copy of a value in which all numbers are changed, also in JSON within a text."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        if not abs(value) < LARGEST:  # or not a number
            return value
        other = change(value)
        return (int(other) or 1) if isinstance(value, int) else float(other)
    if isinstance(value, Mapping):
        return {key: _with_numbers(each, change) for key, each in value.items()}
    if isinstance(value, list):  # a number in a text of a list is a code
        return [each if isinstance(each, str) else _with_numbers(each, change) for each in value]
    if isinstance(value, str) and NUMBER.fullmatch(value):
        other = change(float(value))
        return f"{other:g}" if "." in value else str(int(other) or 1)
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            return json.dumps(_with_numbers(json.loads(value), change))
        except ValueError:
            return value
    return value


def _shows(prompt: str, value: Any) -> bool:
    """Return whether a prompt contains each number of a value."""
    numbers = set(re.findall(r"\d+(?:\.\d+)?", json.dumps(value, default=str)))
    return bool(numbers) and numbers <= set(re.findall(r"\d+(?:\.\d+)?", prompt))
