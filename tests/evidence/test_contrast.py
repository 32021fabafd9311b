"""What the rows of a finding have in common that the others do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from skill_tools.checks.rules.graders.answers import right_answer_not_paid
from skill_tools.checks.rules.graders.programs import wrong_program_paid
from skill_tools.checks.rules.graders.wrong_replies import wrong_reply_paid
from skill_tools.evidence.declaration import Declaration
from skill_tools.evidence.evidence import AuditRun, Evidence
from skill_tools.evidence.grading.contrast import Facts, columns_of, facts_of, in_common
from skill_tools.evidence.grading.graded import Graded, GradedReply, WrongProgram
from skill_tools.graders.datasets.survey import survey_rows
from tests.over import over


def facts(rows: Sequence[Mapping[str, Any]]) -> dict[str, Facts]:
    return {
        f"t/{n}": facts_of(row.get("q", f"How many are in box {n}?"), row["a"], columns_of(row))
        for n, row in enumerate(rows)
    }


SEPARATED = "whose answer has separators in its numbers"
BEYOND = "whose answer has letters beyond ASCII"
ABOVE = "in which the answer is above 24"
LONG = "with more than 3 characters in the answer"
PLAIN = [{"a": str(n)} for n in (12, 25, 317, 44, 58)]


def columns(more: int, name: str, value: str) -> list[dict[str, str]]:
    """Rows with a column more: a value, or a number that differs from the answer by ``more``."""
    return [{"a": str(n), name: value or str(n + more)} for n in range(20, 25)]


def zones(*offsets: int) -> list[dict[str, str]]:
    """Rows whose prompt has a time zone."""
    return [{"a": str(n), "q": f"Count. [+{offset:04}]"} for n, offset in enumerate(offsets, 70)]


@over(
    ("own", "others", "shared"),
    [
        ([{"a": f"1,{n}"} for n in range(200, 205)], PLAIN, SEPARATED),
        ([{"a": f"-{n}"} for n in range(20, 25)], PLAIN, "whose answer is negative"),
        ([{"a": f"x + {n}"} for n in range(20, 25)], PLAIN, "whose answer is not a number"),
        ([{"a": f"ответ{n}"} for n in "абвгд"], [{"a": f"word{n}"} for n in "abcde"], BEYOND),
        ([{"a": f'{{"n": {n}, "off": 0}}'} for n in range(5)], [{"a": f'{{"n": {n}, "off": 5}}'} for n in range(1, 6)],
         "whose answer has a value that is 0, false or empty"),
        (columns(0, "lang", "fr"), columns(0, "lang", "en"), "whose lang is 'fr'"),
        (columns(0, "b", ""), columns(3, "b", ""), "whose a equals its b"),
        ([{"a": str(n)} for n in (3000, 2500, 9000, 1700, 4000)], PLAIN, LONG),
        ([{"a": str(n)} for n in range(70, 75)], [{"a": str(n)} for n in range(20, 25)], ABOVE),
        ([{"a": str(n)} for n in (20, 22, 27, 35, 71)], [{"a": str(n)} for n in (21, 25, 28, 47, 88)], ""),
        (zones(200, 300, 400, 500, 600), zones(0, 0, 0, 0, 0), "whose prompt does not contain '+0000'"),
        ([{"a": "-3"}, {"a": "-4"}], PLAIN[:2], ""),
        ([{"a": "-3"}], PLAIN, ""),
        ([{"a": "x", "deg": f"-0.{n}"} for n in (3, 11, 45, 6, 98)],
         [{"a": "x", "deg": str(n)} for n in (-40, -12, -1.5, 3, 50, 2)], "in which deg is from -0.98 to -0.11"),
        ([{"a": "x", "deg": str(n)} for n in (4, 6, 8)], [{"a": "x", "deg": str(n)} for n in (3, 5, 7, 9)], ""),
    ],
)  # fmt: skip
def test_rows_have_in_common_what_no_other_row_has(
    own: list[dict[str, str]], others: list[dict[str, str]], shared: str
) -> None:
    known = facts([*own, *others])
    assert in_common(known, list(known)[: len(own)], known) == shared


@pytest.mark.everything("graders")
def test_all_rows_have_nothing_in_common_that_others_have_not() -> None:
    known = facts(PLAIN)
    assert not in_common(known, known, known)


@pytest.mark.everything("graders")
def test_columns_within_objects_are_columns() -> None:
    row = {"a": "1", "info": {"kind": "x", "parts": [1, 2]}, "none": None, "long": "x" * 99}
    assert dict(columns_of(row)) == {
        "a": "1",
        "info.kind": "x",
        "info.parts": "a list of 2",
        "none": "",
    }


def evidence(paid: Mapping[str, float], right: Mapping[str, float], known: Any) -> Evidence:
    replies = [
        each
        for task in known
        for each in (
            GradedReply(task, "right", "right", "right", "7", right.get(task, 1.0)),
            GradedReply(task, "zero", "wrong", "nought", "0", 0.0),
            GradedReply(task, "next", "wrong", "one more", "8", paid.get(task, 0.0)),
        )
    ]
    graded = Graded(kind="number", tasks=len(known), replies=tuple(replies), facts=known)
    return Evidence(Declaration(name="some"), audit=AuditRun(graded=graded))


@pytest.mark.everything("graders")
def test_a_finding_names_what_its_tasks_have_in_common() -> None:
    known = facts([*({"a": f"-{n}"} for n in range(20, 25)), *PLAIN])
    some = list(known)[:5]
    (hit,) = wrong_reply_paid.find(evidence(dict.fromkeys(some, 1.0), {}, known))
    assert "these are all 5 tasks whose answer is negative" in hit.message
    (hit,) = right_answer_not_paid.find(evidence({}, dict.fromkeys(some, 0.0), known))
    assert "these are all 5 tasks whose answer is negative" in hit.message
    assert "as the reply is read" in hit.fix
    (hit,) = wrong_reply_paid.find(evidence(dict.fromkeys(known, 1.0), {}, known))
    assert "these are all" not in hit.message


@pytest.mark.everything("graders")
def test_a_count_of_rows_names_what_they_have_in_common() -> None:
    topics = [
        "Lima",
        "Oslo",
        "Rome",
        "Bern",
        "Kiel",
        "Nice",
        "Graz",
        "Cork",
        "Bath",
        "Turin",
        "Milan",
        "Genoa",
    ]
    rows = [{"question": f"How far is {each}, in km?", "answer": "12"} for each in topics]
    several = [{"question": f"Où est {each}, la ville ?", "answer": "-7"} for each in topics[:5]]
    survey = survey_rows({"train": [*rows, *several, *several]})
    copies = next(each for each in survey.found if each.kind == "exact")
    assert copies.rows == 5
    assert "these are all 5 rows whose answer is negative" in copies.shared


@pytest.mark.everything("graders")
def test_tasks_with_weak_tests_are_told_from_the_others() -> None:
    known = facts([*columns(0, "source", "old"), *columns(0, "source", "new")])
    right = [GradedReply(task, "right", "right", "right", "def f(): 1", 1.0) for task in known]
    zero = [GradedReply(task, "zero", "wrong", "nought", "", 0.0) for task in known]
    wrong = [
        WrongProgram(
            GradedReply(task, "m", "wrong", "a bound", "def f(): 2", float(n < 5)), "t", True
        )
        for n, task in enumerate(known)
    ]
    replies = (*right, *zero)
    found = Graded(kind="code", tasks=10, replies=replies, programs=tuple(wrong), facts=known)
    run = AuditRun(graded=found)
    (hit,) = wrong_program_paid.find(Evidence(Declaration(name="some"), audit=run))
    assert hit.message.endswith("these are all 5 tasks whose source is 'old'")
