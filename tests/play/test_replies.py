"""Where in whole replies of a model the right answers stand is read off them."""

from __future__ import annotations

import pytest

from skill_tools.graders.templates.answer_templates import SLOT
from skill_tools.graders.templates.question import read_question
from skill_tools.graders.templates.replies import read_replies

PROMPT = "How many are there? Think first."
PAIRS = (("street", "straat"), ("bread", "brood"), ("dog", "hond"))


def _read(*replies: str, prompt: str = PROMPT) -> tuple[list[str], list[str], list[str]] | None:
    questions = [
        read_question(str(n), [{"content": prompt}], text) for n, text in enumerate(replies)
    ]
    places = read_replies([each for each in questions if each])
    if not places:
        return None
    items, frames = places[0]
    return (
        [each.gold for each in items],
        [each.kind for each in items],
        [each.template for each in frames],
    )


@pytest.mark.parametrize(
    ("reply", "template"),
    [
        ("I add them.\n#### {}", f"#### {SLOT}"),
        ("I add them.\nTotal: {}", f"Total: {SLOT}"),
        ("<think>I add.</think>\n<answer>{}</answer>", f"<answer>{SLOT}</answer>"),
        ("I add them: \\boxed{{{}}}.", f"\\boxed{{{SLOT}}}"),
    ],
)
def test_the_answer_is_read_without_the_thoughts_and_is_of_its_own_kind(
    reply: str, template: str
) -> None:
    found = _read(*(reply.format(n) for n in (12, 7, 30)))
    assert found is not None
    golds, kinds, frames = found
    assert golds == ["12", "7", "30"]
    assert set(kinds) == {"number"}
    assert frames == [template, reply.format(12).replace(template.replace(SLOT, "12"), template)]


def test_the_innermost_place_is_the_one() -> None:
    found = _read("So:\n<answer>\\boxed{\\frac{1}{2}}</answer>", "So:\n<answer>\\boxed{3}</answer>")
    assert found is not None
    assert found[0] == ["\\frac{1}{2}", "3"]


def test_one_reply_of_five_may_be_written_otherwise_and_is_left_out() -> None:
    found = _read(*(f"I add.\n#### {n}" for n in range(4)), "it is four")
    assert found is not None
    assert found[0] == ["0", "1", "2", "3"]


@pytest.mark.parametrize("replies", [("4", "5"), ("Dune: Part Two", "Alien"), ("Paris", "Rome")])
def test_what_is_nothing_but_the_answer_is_left_as_it_is(replies: tuple[str, ...]) -> None:
    assert _read(*replies) is None


def test_a_last_paragraph_of_several_lines_is_tried_after_its_last_line() -> None:
    replies = [f"I add {n}.\n\nRoute: A -> B\nLength: {n}" for n in (3, 5, 8)]
    questions = [read_question(str(n), [{"content": PROMPT}], r) for n, r in enumerate(replies)]
    inner, outer = read_replies([each for each in questions if each])
    assert [each.gold for each in inner.questions] == ["3", "5", "8"]
    assert outer.questions[0].gold == "Route: A -> B\nLength: 3"


def test_what_stands_under_a_heading_that_the_prompt_names_is_the_answer() -> None:
    prompt = "Translate both. Write a line PAIRS, then one line for each word."
    found = _read(
        *(f"I look.\nPAIRS\n{word} = {other}\nred = rood" for word, other in PAIRS), prompt=prompt
    )
    assert found is not None
    golds, _, frames = found
    assert golds == [f"{word} = {other}\nred = rood" for word, other in PAIRS]
    assert frames[0] == f"PAIRS\n{SLOT}"
    unnamed = _read(*(f"I look.\nPAIRS\n{word} = {other}\nred = rood" for word, other in PAIRS))
    assert unnamed is None or frames[0] not in unnamed[2]


def test_bare_json_is_the_answer_where_other_replies_have_it_in_a_block() -> None:
    found = _read('```json\n{"a": 1}\n```', '{"a": 2}', '{"a": 3}')
    assert found is not None
    golds, kinds, frames = found
    assert golds == ['{"a": 1}', '{"a": 2}', '{"a": 3}']
    assert set(kinds) == {"json"}
    assert frames[0] == f"```json\n{SLOT}\n```"


def test_labeled_lines_without_prose_are_the_answer_where_others_have_prose_before_them() -> None:
    replies = (
        "Winner: Ann\nHand: pair",
        "I compare.\n\n**Winner:** Bo\n**Hand:** flush",
        "Winner: Cy\nHand: straight",
    )
    questions = [read_question(str(n), [{"content": PROMPT}], r) for n, r in enumerate(replies)]
    places = read_replies([each for each in questions if each])
    whole = [place for place in places if "\n" in place.questions[0].gold]
    assert [each.gold.split("\n")[0] for each in whole[0].questions] == [
        "Winner: Ann",
        "**Winner:** Bo",
        "Winner: Cy",
    ]


def test_a_full_stop_after_a_number_or_a_date_is_no_part_of_it() -> None:
    found = _read("I add.\nTotal: 1,096.", "I add.\nTotal: 17", "So.\nTotal: February 29, 2024.")
    assert found is not None
    assert found[0] == ["1,096", "17", "February 29, 2024"]
