"""An environment's tasks as rows: for data set checks if each task asks one question, or for a trainer's file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.grading.rows import RowCount, RowExample, RowSurvey
from skill_tools.evidence.probed import Probed
from skill_tools.evidence.surveyed import Opened
from skill_tools.files import find_environment
from skill_tools.frameworks import rules
from skill_tools.graders.datasets.survey import survey_rows
from skill_tools.rollouts import datasets

LEAST = 5
"""Minimum number of tasks that must be solved by one call each for tasks to count as single questions."""
DECIDED = 0.8
"""Minimum share of openings with a single answer; with fewer, as in a guessing game, openings are no questions."""
LEFT = ("exact", "asked_again", "in_question")
"""Kinds that are not reported for tasks: TAS001 and TAS002 find copies with the same fields, and
other copies may occur by chance.
"""


def with_rows(seen: Evidence, tools: int) -> Evidence:
    """If the tasks are single questions, add them to the evidence as rows. ``tools`` is the number of tools."""
    return replace(seen, audit=replace(seen.audit, rows=survey_tasks(seen.probed, tools)))


def survey_tasks(probed: Probed | None, tools: int) -> RowSurvey | None:
    """Return the tasks as rows, with the opening as the question and the oracle's single call as the answer.

    Return None if the tasks are not single questions. This is the case if there are several tools, if the oracle
    needs several calls, or if the opening does not determine the answer.
    """
    if probed is None or tools != 1:
        return None
    solved = [each for each in probed.solved if each.calls and each.seed is None]
    if len(solved) < LEAST or any(each.steps != 1 for each in solved):
        return None
    answers = {each.task: each.calls for each in solved}
    opened = [each for each in probed.opened if each.prompt and not each.error]
    by_prompt: dict[str, set[str]] = defaultdict(set)
    for each in opened:
        if answer := answers.get(each.task):
            by_prompt[each.prompt].add(answer)
    decided = sum(len(several) == 1 for several in by_prompt.values())
    if len(by_prompt) < LEAST or decided < DECIDED * len(by_prompt):
        return None
    start = _shared_start([each.prompt for each in opened])
    splits: dict[str, list[dict[str, Any]]] = {}
    places: dict[str, list[Opened]] = {}
    for each in opened:
        row = {"question": each.prompt[start:], "answer": answers.get(each.task)}
        splits.setdefault(each.split, []).append(row)
        places.setdefault(each.split, []).append(each)
    seen = survey_rows(splits, question="question", answer="answer")
    found = [_of_tasks(each, places) for each in seen.found if each.kind not in LEFT]
    # An answer is a checksum of the oracle's call: it only shows whether two are equal.
    return replace(
        seen,
        question="first observation",
        answer="the oracle's call",
        answers={},
        found=tuple(each for each in found if each.kind != "no_answer"),
    )


def _shared_start(prompts: Collection[str]) -> int:
    """Return the number of characters that all prompts share at the start, up to the end of a line."""
    # The prefix shared by the first and last in sorted order is shared by all.
    one, other = min(prompts), max(prompts)
    same = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    return one.rfind("\n", 0, same) + 1


def _of_tasks(count: RowCount, places: Mapping[str, list[Opened]]) -> RowCount:
    """Return a count whose examples name tasks by their own split and index, and have no answers."""

    def place(row: str) -> str:
        split, _, number = row.rpartition("/")
        return places[split][int(number)].task if split in places else row

    examples = tuple(
        RowExample(place(e.row), e.text, "", place(e.other), e.other_text) for e in count.examples
    )
    return replace(count, examples=examples)


def write_dataset(
    folder: Path | str, output: Path | str, trainer: str = "plain", split: str | None = None
) -> datasets.Dataset:
    """Write the tasks as rows for a trainer, to a new file or a folder of splits.

    ``trainer`` is one of ``rollouts.datasets.TRAINERS``. See ``rollouts.datasets`` for formats and errors.
    """
    folder = find_environment(folder)
    return datasets.write_dataset(rules.load(folder), folder, Path(output), trainer, split)
