"""DAT004 on rows whose questions contain their own computation, which needs no solver."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import Any

import pytest

from skill_tools.checks.engine import every_check
from skill_tools.evidence.declaration import Declaration
from skill_tools.evidence.evidence import AuditRun, Evidence
from skill_tools.graders.datasets.computed import agrees, computed
from skill_tools.graders.datasets.survey import survey_rows
from tests.over import over

TABLE = "| item | price |\n|---|---|\n| tea | 3 |\n| cake | 4.50 |\nWhat is the total of price?"


@over(
    ("prompt", "value"),
    [
        ("What is 35 * 2 + 64 - 2? End with `Answer: N`.", Fraction(132)),
        ("Compute (3 + 4) \u00d7 12.", Fraction(84)),
        ("What is 17 plus 25?", Fraction(42)),
        ("What is 42 divided by 4? Reply with the number only.", Fraction(21, 2)),
        ("Evaluate $2^{10}$", None),
        ("Evaluate 2^10.", Fraction(1024)),
        ("What is the least non-negative remainder of -17 modulo 5?", Fraction(3)),
        ("What is the mean of 3, 8, 9 and 13?", Fraction(33, 4)),
        ("What is 20% of 50?", Fraction(10)),
        ("Which date is 79 days after 20 October 2031? Write it alone.", date(2032, 1, 7)),
        ("What date is 2 weeks before 2024-03-05?", date(2024, 2, 20)),
        (TABLE, Fraction(15, 2)),
        ("What is 17 + 25? What is 3 + 4?", None),
        ("Let a # b mean a + b. Suppose so. What is 3 + 4?", None),
        ("What is 101 + 11 in binary?", None),
        ("What is 9**9**9?", None),
        ("A shop sells 3 boxes of 4 pens. How many pens?", None),
        ("What is 5?", None),
        ("Which date is 79 days after 20 October 2031 (Gregorian calendar)?", date(2032, 1, 7)),
        ("Which date is 3 days after 05/06/2024?", None),
    ],
)
def test_a_prompt_that_contains_its_computation_is_computed(
    prompt: str, value: Fraction | date | None
) -> None:
    assert computed(prompt) == value


@over(
    ("value", "label", "same"),
    [
        (Fraction(10), "10", True),
        (Fraction(10), "10.0", True),
        (Fraction(10), "11", False),
        (Fraction(1, 3), "0.33", True),
        (Fraction(1, 3), "1/3", True),
        (Fraction(1, 3), "0.34", False),
        (Fraction(10), "ten", None),
        (date(2024, 2, 3), "2024-02-03", True),
        (date(2024, 2, 3), "3 February 2024", True),
        (date(2024, 2, 3), "2024-03-02", False),
    ],
)
def test_a_label_is_compared_by_value_and_to_its_decimals(
    value: Fraction | date, label: str, same: bool | None
) -> None:
    assert agrees(value, label) is same


def told(rows: list[dict[str, Any]]) -> list[tuple[str | None, str]]:
    evidence = Evidence(Declaration(name="x"), audit=AuditRun(rows=survey_rows({"train": rows})))
    return [(hit.level, hit.message) for hit in every_check()["DAT004"].find(evidence)]


SUMS = [(n, 3 * n + 1) for n in range(11, 31)]


@pytest.mark.everything("graders")
def test_wrong_labels_of_sums_are_found_without_a_solver() -> None:
    rows = [{"question": f"What is {a} + {b}?", "answer": str(a + b)} for a, b in SUMS]
    assert not told(rows)
    for row in rows[:4]:
        row["answer"] = f"-{row['answer']}"
    ((level, message),) = told(rows)
    assert level == "fail"
    assert "4 of 20 rows" in message
    assert "'-45', its value" in message
    assert "these are all 4 rows whose answer is negative" in message


@pytest.mark.everything("graders")
def test_a_column_of_another_name_is_the_label_if_it_mostly_is_the_value() -> None:
    rows = [{"prompt": f"What is {a} + {b}?", "zahl": a + b, "n": a} for a, b in SUMS]
    rows[3]["zahl"] += 1
    ((level, message),) = told(rows)
    assert (level, "1 of 20 rows" in message) == ("fail", True)


@pytest.mark.everything("graders")
def test_signs_that_mean_something_else_are_a_note() -> None:
    rows = [{"question": f"What is {a} + {b}?", "answer": str(a * b)} for a, b in SUMS]
    ((level, _),) = told(rows)
    assert level == "note"
    plain = [{"question": f"Who lives at number {n}?", "answer": f"Name{n}"} for n in range(20)]
    assert [level for level, _ in told(plain)] == ["skip"]


@pytest.mark.everything("graders")
def test_one_label_that_answers_a_later_question_is_not_in_doubt() -> None:
    rows = [
        {"question": "What is 15 multiplied by 8?", "next": "Divide that by 6.", "answer": "20"},
        {"question": "Which tower stands in Paris?", "next": "", "answer": "Eiffel"},
    ]
    assert [level for level, _ in told(rows)] == ["skip"]
