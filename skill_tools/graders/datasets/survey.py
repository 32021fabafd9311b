"""The survey of a dataset's rows, which are read once and then compared with each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

from skill_tools.errors import SkillToolsError
from skill_tools.evidence.grading.rows import RowSurvey
from skill_tools.graders.datasets.answer_faults import count_answers, count_conflicts
from skill_tools.graders.datasets.computed import Computed
from skill_tools.graders.datasets.contamination import OverlapIndex
from skill_tools.graders.datasets.copies import count_copies
from skill_tools.graders.datasets.fields import SAMPLE, Row, guess_fields
from skill_tools.graders.datasets.shape import Shapes
from skill_tools.graders.datasets.solver import Solver
from skill_tools.graders.datasets.table import Table

MOST_ROWS = 500_000
"""Maximum number of rows: at a kilobyte per row they take half a gigabyte, and minutes."""


def survey_rows(
    splits: Mapping[str, Iterable[Mapping[str, Any]]],
    *,
    question: str | None = None,
    answer: str | None = None,
    against: Sequence[str | Path] = (),
    solver: str | None = None,
) -> RowSurvey:
    """Survey the rows of some splits; each split is an iterable of dicts that is read once.

    Args:
        splits: The rows of each split.
        question, answer: Names of fields, with a dot for a nested field (``reward_model.ground_truth``);
            guessed if not given.
        against: Files whose texts must not be in the rows.
        solver: path.py:function, which gets a row and returns its answer, in another process.

    Raises:
        SkillToolsError: If there are no rows, a given field is missing, or no field has a question.
    """
    rows = ((split, row) for split, several in splits.items() for row in several)
    return survey_stream(rows, question=question, answer=answer, against=against, solver=solver)


def survey_stream(
    rows: Iterable[tuple[str, Row]],
    *,
    question: str | None = None,
    answer: str | None = None,
    against: Sequence[str | Path] = (),
    solver: str | None = None,
) -> RowSurvey:
    """Survey a stream of rows, each with its split. The rows of different splits may come in any order."""
    files = [Path(each) for each in against]
    solving, computing, apart = Solver(solver), Computed(), OverlapIndex(files)
    stream = iter(rows)
    first = list(islice(stream, SAMPLE))
    if not first:
        raise SkillToolsError("the files contain no rows\n    fix: name a file with rows")
    fields = guess_fields([row for _, row in first], question, answer)
    table, shapes = Table(), Shapes()
    for split, row in islice(chain(first, stream), MOST_ROWS):
        at = len(table)
        text = table.add(split, row, fields)
        said = fields.answer_of(row)
        shapes.add(at, table.split[at], text, said, fields.options)
        apart.add(at, text.words)
        solving.add(at, row, said)
        computing.add(at, text.whole, said, row)
    left = sum(1 for _ in stream)
    found = [
        *count_copies(table),
        *count_conflicts(table),
        *solving.counted(table),
        *computing.counted(table),
        *apart.counted(table),
        *shapes.counted(table, answers=bool(fields.answer)),
    ]
    return RowSurvey(
        table.sizes,
        fields.question,
        fields.answer,
        tuple(found),
        count_answers(table) if fields.answer else {},
        tuple(map(str, files)),
        solver or "",
        solving.solved,
        left,
        len(computing.labels),
    )
