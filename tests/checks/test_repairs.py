"""The changes to a grader's code, and to right replies, that audits name as causes."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

import pytest

from skill_tools.audit.driver import DRIVERS
from skill_tools.graders.programs.mutants import every_mutant
from skill_tools.graders.repairs import edit_functions as called
from skill_tools.graders.repairs.code_edits import edits_of
from tests.checks.test_graders import audited, told

PRICES = [f"{whole}.{cents}5" for whole in range(2, 10) for cents in (11, 12, 13)]
HALF_UP = [str(called.half_up(float(price), 2)) for price in PRICES]
ROUNDED = (
    "from decimal import Decimal\n\nCENT = Decimal('0.01')\n\n\n"
    "def reward(completion, price, **row):\n"
    "    label, _, text = completion.partition('Price: ')\n"
    "    try:\n        given = Decimal(text.strip())\n"
    "    except ArithmeticError:\n        return 0.0\n"
    "    return float(given == Decimal(price).quantize(CENT))\n"
)


def rows(column: str, values: list[str], prompt: str) -> list[dict[str, str]]:
    return [{"prompt": prompt.format(value), column: value} for value in values]


def test_the_missing_argument_of_a_call_is_named_for_refused_right_replies(tmp_path: Path) -> None:
    asked = rows("price", PRICES, "Round {} to cents, halves up. End with a line *Price: 1.23*.")
    replies = [f"Price: {each}" for each in HALF_UP]
    (message,) = told(audited(tmp_path, ROUNDED, asked, replies=replies), "GRA003")
    assert "rounding='ROUND_HALF_UP')` in place of " in message
    assert "in reward.py:12, the verdict is right, and " in message


def test_what_a_grader_cannot_read_in_right_replies_is_named(tmp_path: Path) -> None:
    values = [str(each) for each in range(-8, 9)]
    program = (
        "def reward(completion, total, **row):\n"
        "    text = completion.rpartition('Total:')[2].strip()\n"
        "    return float(text == total)\n"
    )
    asked = rows("total", values, "The total is {}? Compute it. End with a line *Total: 3*.")
    replies = [f"Total: {each}".replace("-", "\N{MINUS SIGN}") for each in values]
    (message,) = told(audited(tmp_path, program, asked, replies=replies), "GRA003")
    assert "the same reply with hyphens in place of other dashes and minus signs" in message
    assert "8 of 8 tasks" in message


def test_the_cause_of_rewarded_wrong_replies_is_named(tmp_path: Path) -> None:
    values = ["ash, elm", "oak, fir, yew", "elm, oak", "fir, ash, oak"] * 3
    program = (
        "def reward(completion, trees, **row):\n"
        "    named = [each.strip() for each in completion.rpartition('Trees:')[2].split(',')]\n"
        "    wanted = trees.split(', ')\n"
        "    return float(all(one == two for one, two in zip(named, wanted)))\n"
    )
    asked = [
        {"prompt": f"Report {n}: which trees grow here? One line *Trees: a, b*.", "trees": each}
        for n, each in enumerate(values)
    ]
    replies = [f"Trees: {each}" for each in values]
    (message, *_) = told(audited(tmp_path, program, asked, replies=replies), "GRA001")
    assert "with `zip(named, wanted, strict=True)` in place of `zip(named, wanted)`" in message


def test_right_replies_in_any_style_show_where_the_answer_is(tmp_path: Path) -> None:
    values = ["milk, eggs", "fish", "soy, milk", "nuts, fish, eggs"] * 3
    program = (
        "import re\n\n\ndef reward(completion, found, **row):\n"
        "    lines = re.findall(r'(?im)^\\W*found\\W*:\\W*(.*?)\\W*$', completion)\n"
        "    named = lines[-1].split(', ') if lines else ['']\n"
        "    wanted = found.split(', ')\n"
        "    hits = sum(each in wanted for each in named)\n"
        "    return hits / max(len(named), len(wanted))\n"
    )
    asked = [
        {"prompt": f"Label {n}: which of them? Write a line *Found: a, b*.", "found": each}
        for n, each in enumerate(values)
    ]
    styles = ("Found: {}", "I looked twice.\n\n**Found:** {}.", "found: {}", "- **FOUND: {}**")
    replies = [styles[n % 4].format(each) for n, each in enumerate(values)]
    (message, *_) = told(audited(tmp_path, program, asked, replies=replies), "GRA001")
    assert "the first item in place of all others" in message
    assert "`named = without_repeats(" in message


def test_a_forbidden_word_is_tried_where_the_prompt_forbids_it(tmp_path: Path) -> None:
    cities = ["Rome", "Oslo", "Bern", "Kyiv"] * 3
    program = (
        "def reward(completion, avoid, **row):\n"
        "    words = completion.lower().rstrip('.').split()\n"
        "    return float(len(words) == 6 and not any(each in words for each in avoid))\n"
    )
    asked = [
        {
            "prompt": f"Describe place {n} in 6 words. Do not use the words {city} or river.",
            "avoid": [city, "river"],
        }
        for n, city in enumerate(cities)
    ]
    replies = [f"An old town number {n} somewhere." for n, _ in enumerate(cities)]
    (message, *_) = told(audited(tmp_path, program, asked, replies=replies), "GRA001")
    assert "a word that the prompt forbids" in message
    assert "casefolded(" in message


def test_an_edit_that_switches_a_check_off_is_no_cause(tmp_path: Path) -> None:
    program = (
        "def reward(completion, place, degrees, **row):\n"
        "    name, _, number = completion.rpartition('Place:')[2].strip().partition(' ')\n"
        "    whole, _, minutes = number.partition(':')\n"
        "    value = abs(int(whole or 0)) + int(minutes or 0) / 60\n"
        "    value = -value if int(whole or 0) < 0 else value\n"
        "    return 0.5 * (name == place) + 0.5 * (abs(value - degrees) < 0.01)\n"
    )
    numbers = [
        "-0:30",
        "4:15",
        "-0:45",
        "-7:30",
        "12:45",
        "-0:15",
        "0:20",
        "-1:15",
        "8:45",
        "-0:12",
    ]
    values = [-0.5, 4.25, -0.75, -7.5, 12.75, -0.25, 1 / 3, -1.25, 8.75, -0.2]
    asked = [
        {
            "prompt": f"Town {n} lies at {each} degrees. Which town, and degrees and minutes? End: *Place: A 1:30*.",
            "place": "ABCDEFGHIJ"[n],
            "degrees": each,
        }
        for n, each in enumerate(values)
    ]
    replies = [f"Place: {'ABCDEFGHIJ'[n]} {each}" for n, each in enumerate(numbers)]
    (message,) = told(audited(tmp_path, program, asked, replies=replies), "GRA003")
    assert "the deciding line is reward.py:6" in message
    assert "in place of" not in message


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("x = moment.replace(tzinfo=utc)", "moment.astimezone(utc)"),
        ("x = moment.replace(tzinfo=utc, second=0)", "moment.astimezone(utc).replace(second=0)"),
        ("x = wait.seconds", "wait.total_seconds()"),
        ("x = one % two", "truncated_rest(one, two)"),
        ("x = one * two", "exact_product(one, two)"),
        ("x = text.lstrip('0x')", "text.removeprefix('0x')"),
        ("x = isclose(a, b, abs_tol=0.1)", "isclose(a, b)"),
        ("x = first < last", "by_value(first) < by_value(last)"),
        ("x = found[0]", "found[-1]"),
        ("TOLERANCE = 0.01", "0.0001"),
    ],
)
def test_edits_undo_usual_mistakes(text: str, wanted: str) -> None:
    assert wanted in [each.after for each in every_mutant(text, edits_of)]


def test_no_edit_compares_a_value_with_itself() -> None:
    text = "def same(one, two):\n    return one == two\n"
    programs = [each.program for each in every_mutant(text, edits_of)]
    assert not any("one == one" in each or "two == two" in each for each in programs)


def test_functions_of_edits_compute_as_they_say() -> None:
    assert [called.half_up(2.5), called.half_up(2.345, 2)] == [3, 2.35]
    assert [called.truncated_quotient(-7, 2), called.truncated_rest(-7, 2)] == [-3, -1]
    assert str(called.exact_product(58.5, 0.1)) == "5.85"
    assert called.casefolded({"A": ["B"]}) == {"a": ["B"]}
    assert sorted(["10:05", "9:50"], key=called.by_value) == ["9:50", "10:05"]
    assert called.nearly_equal(0.1 + 0.2, 0.3)
    assert not called.nearly_equal("a", "b")
    assert called.without_repeats([1, 1, 2]) == [1, 2]


def test_an_edit_that_never_ends_ends_the_audit_in_time(tmp_path: Path) -> None:
    program = (
        "def reward(completion, number, **row):\n"
        "    text = completion.rpartition('Number:')[2].strip()\n"
        "    at, count = 0, 0\n"
        "    while at < len(text):\n"
        "        at = at + 1\n        count = count + 1\n"
        "    return float(text.strip('-') == number.strip('-'))\n"
    )
    values = [str(each) for each in range(-6, 7)]
    asked = rows("number", values, "Which number is {} itself? End with a line *Number: 3*.")
    replies = [f"Number: {each}" for each in values]
    outcome = audited(tmp_path, program, asked, replies=replies)
    (message, *_) = told(outcome, "GRA001")
    assert "the opposite sign" in message
    assert not told(outcome, "AUD001")


def test_code_that_never_ends_stops_after_some_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(DRIVERS))
    from audit_bounds import Broken
    from audit_scoring.step_limit import StepLimit

    def endless() -> None:
        while True:
            with contextlib.suppress(Exception):
                sum(range(3))

    traced = sys.gettrace()
    with pytest.raises(Broken, match="more than 1000 lines"), StepLimit(1000):
        endless()
    assert sys.gettrace() is traced
