"""Right replies that no column holds, found by what a grader pays and by the texts in its code."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from skill_tools.audit.grading.grader_code import constants_in
from skill_tools.audit.target import recognise
from skill_tools.graders.grader_audit import grade_answers
from skill_tools.graders.grader_client import Grade, Grader, GradeRequest
from skill_tools.graders.templates.question import Question, read_question
from skill_tools.graders.templates.reward_search import GreyBox, search_replies
from skill_tools.graders.templates.row_values import roman, row_values
from tests.over import over

pytestmark = pytest.mark.everything("graders")
Row = Mapping[str, Any]


def grader(rows: Sequence[Row], pays: Callable[[str, Row], float]) -> Grader:
    def grade(asks: Sequence[GradeRequest]) -> list[Grade]:
        return [Grade(pays(each.reply, rows[int(each.task)])) for each in asks]

    return grade


def questions(rows: Sequence[Row]) -> list[Question]:
    made = [
        read_question(str(n), [{"role": "user", "content": row["prompt"]}])
        for n, row in enumerate(rows)
    ]
    return [each for each in made if each]


def found(rows: Sequence[Row], pays: Callable[[str, Row], float], *constants: str) -> list[str]:
    """The replies that the search takes for right, in their template."""
    box = GreyBox(dict(zip(map(str, range(len(rows))), rows, strict=True)), constants)
    best = search_replies(questions(rows), box, grader(rows, pays))
    return [best.frame.hold(each.gold) for each in best.questions] if best else []


NUMERALS = [
    {
        "prompt": f"Write {n} as {'a Roman numeral' if n % 2 else 'hex'}. End with `Result: `.",
        "number": n,
    }
    for n in range(11, 19)
]
RANKED = [
    {
        "prompt": f"Largest first, {n}, with > in <rank>.",
        "items": ["a", f"b{n}", "c"],
        "sizes": [n, "1/2", 99],
    }
    for n in range(2, 9)
]
TABLES = [
    {
        "prompt": f"As CSV {n}, in a ```csv block.",
        "header": ["name", "n"],
        "rows": [["x, y", str(n)], ["z", "1"]],
    }
    for n in range(8)
]
SUMS = [
    {"prompt": f"Order {n}. Reply with the cost.", "price": n + 0.5, "count": n}
    for n in range(2, 9)
]


def numeral(reply: str, row: Row) -> float:
    n = row["number"]
    return float(reply.strip() == f"Result: {roman(n) if n % 2 else hex(n)}")


def ranked(reply: str, row: Row) -> float:
    inner = re.findall(r"<rank>(.*?)</rank>", reply)
    order = [each.strip() for each in inner[0].split(">")] if len(inner) == 1 else []
    right = ["c", "a", row["items"][1]]
    return (
        sum(a == b for a, b in zip(order, right, strict=False)) / 3
        if sorted(order) == sorted(right)
        else 0.0
    )


def table(reply: str, row: Row) -> float:
    blocks = re.findall(r"```csv\n(.*?)```", reply, re.DOTALL)
    return float(
        bool(blocks)
        and list(csv.reader(io.StringIO(blocks[0].strip()))) == [row["header"], *row["rows"]]
    )


def cost(reply: str, row: Row) -> float:
    return float(reply.strip() == f"{row['price'] * row['count']:.10g}")


GRADERS: dict[str, tuple[Sequence[Row], Callable[[str, Row], float], tuple[str, ...], str]] = {
    "a number in another system": (NUMERALS, numeral, (r"Result:[ \t]*(\S+)",), "Result: XI"),
    "a list in the order of another": (
        RANKED,
        ranked,
        (r"<rank>(.*?)</rank>",),
        "<rank>c > a > b2</rank>",
    ),
    "records under their names": (
        TABLES,
        table,
        (r"```csv[ \t]*\n(.*?)```",),
        '```csv\nname,n\n"x, y",0\nz,1```',
    ),
    "a product of two columns": (SUMS, cost, (), "5"),
}


@over("rows, pays, constants, first", GRADERS.values(), ids=list(GRADERS))
def test_a_right_reply_is_found_by_its_reward(
    rows: Sequence[Row], pays: Callable[[str, Row], float], constants: tuple[str, ...], first: str
) -> None:
    replies = found(rows, pays, *constants)
    assert replies[0] == first
    assert len(replies) == len(rows)
    assert all(pays(reply, row) == 1 for reply, row in zip(replies, rows, strict=True))


def test_what_two_columns_earn_in_part_is_tried_together() -> None:
    rows = [
        {"prompt": f"Name and place {n}.", "name": f"Ann{n}", "place": f"Town{n}"} for n in range(6)
    ]

    def pays(reply: str, row: Row) -> float:
        return 0.5 * (row["name"] in reply.split()) + 0.5 * (row["place"] in reply.split())

    assert found(rows, pays)[0] in ("Ann0\nTown0", "Town0\nAnn0")


def test_what_earns_as_much_on_every_task_is_no_right_reply() -> None:
    rows = [{"prompt": f"Anything {n}.", "kind": "x"} for n in range(6)]
    assert not found(rows, lambda reply, row: float(reply == "x"))
    assert not found(rows, lambda reply, row: 1.0)


def test_a_text_that_is_one_of_many_right_ones_makes_an_open_question() -> None:
    row = {"least": 10, "most": 20, "words": ["gulls", "sand"]}
    made = [
        each
        for each in row_values(row, "Write 10 to 20 words with gulls and sand.")
        if "a text" in each.way
    ]
    assert [(len(each.text.split()), each.is_open) for each in made] == [(15, True)]


def test_a_partial_reward_of_a_column_is_not_taken_for_the_full_one() -> None:
    box = GreyBox({str(n): row for n, row in enumerate(RANKED)}, (r"<rank>(.*?)</rank>",))
    guessed = [
        replace(each, gold=" > ".join([row["items"][2], row["items"][1], "a"]), kind="list")
        for each, row in zip(questions(RANKED), RANKED, strict=True)
    ]
    graded, _ = grade_answers([guessed], grader(RANKED, ranked), 7, 1.0, box=box)
    assert {each.reply for each in graded.replies if each.must == "right"} == {
        f"<rank>c > a > b{n}</rank>" for n in range(2, 9)
    }


def test_the_texts_in_code_are_read_without_docstrings(tmp_path: Path) -> None:
    code = (
        '"""A module."""\nimport re\nP = re.compile(r"Total: (\\d+)")\n'
        'def reward(c, key):\n    "Pays."\n    return c == key["label"]\n'
    )
    (tmp_path / "reward.py").write_text(code, "utf-8")
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"prompt": "x"}\n', "utf-8")
    target = recognise(f"{tmp_path}/reward.py:reward", tasks=rows)
    assert constants_in(target) == (r"Total: (\d+)", "label")
