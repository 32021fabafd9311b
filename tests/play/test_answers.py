"""Right and wrong answers: what they are for a question, and how the place of an answer is found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from skill_tools.evidence.grading.graded import Graded
from skill_tools.graders.answer_spellings import equivalents
from skill_tools.graders.grader_audit import grade_answers
from skill_tools.graders.grader_client import Grade, GradeRequest
from skill_tools.graders.perturbations.wrong_answers import wrong_answers
from skill_tools.graders.shortcuts import find_shortcut
from skill_tools.graders.templates.answer_templates import BARE, SLOT, frame_in, frames_of
from skill_tools.graders.templates.question import Question, read_question
from tests.over import over


def asked(prompt: str, gold: Any, label: str = "task/0") -> Question:
    found = read_question(label, [{"role": "user", "content": prompt}], gold)
    assert found
    return found


def spelled(prompt: str, gold: Any) -> set[str]:
    return {text for _, _, text in equivalents(asked(prompt, gold))}


def test_a_number_may_be_written_with_separators_and_the_sign_of_unicode() -> None:
    assert "3,496" in spelled("How many?", "3496")
    assert "\u22123496" in spelled("How many?", "-3496")
    assert "$3496" in spelled("It costs $12 a day. How many dollars?", "3496")


@over(
    ("prompt", "gold", "excluded"),
    [
        ("Reply with an integer without separators.", "3496", "3,496"),
        ("Reply with an integer.", "3496", "3496.0"),
        ("Give the answer with two decimals.", "34.50", "34.500"),
        ("Answer with a capital letter.\nA) one\nB) two", "B", "b"),
        ("Repeat the password exactly as it is written.", "Swordfish", "swordfish"),
        ("Give the date in the format YYYY-MM-DD.", "2025-07-16", "July 16, 2025"),
        ("Give them in the right order.", "a, b, c", "c, b, a"),
        ("Give the formula; symbols are case-sensitive.", "Co", "co"),
    ],
)
def test_what_the_prompt_excludes_is_not_asked_for(prompt: str, gold: str, excluded: str) -> None:
    assert excluded not in spelled(prompt, gold)


def test_a_list_may_be_in_another_order_where_the_prompt_says_so() -> None:
    assert "c, b, a" in spelled("List them in any order.", "a, b, c")


def test_code_may_have_other_names_comments_and_lines() -> None:
    code = "def f(x):\n    y = x + 1\n    return y"
    found = spelled("Write f.", code)
    assert any("y_1" in each and "(x)" in each for each in found)
    assert any(each.startswith("# ") for each in found)


def wrong(prompt: str, gold: str, *others: str) -> dict[str, tuple[str, str]]:
    guesses = wrong_answers(asked(prompt, gold), others, BARE)
    return {each.probe: (each.reply, each.must) for each in guesses}


def test_wrong_answers_are_of_the_kind_of_the_right_one() -> None:
    number = wrong("How many?", "3496", "12", "77")
    assert number["next"] == ("3497", "wrong")
    assert number["value.NaN"][1] == "wrong"
    assert "3496" in number["all"][0]
    assert wrong("Yes or no?", "yes")["flipped"] == ("no", "wrong")
    assert wrong("Which?\nA) one\nB) two\nC) six", "B", "A")["all"][0] == "A, B, C"
    assert wrong("In ascending order:", "a, b, c")["backwards"] == ("c, b, a", "wrong")
    assert wrong("Which offset?", "UTC-5", "UTC+3")["sign"] == ("UTC+5", "wrong")


@over(
    "gold",
    [
        "-$5",
        "+5",
        "5 %",
        ".5",
        "\u22127",
        "1/0",
        "12 km",
        "0",
        "-0.5",
        "€1,200.50",
        "[",
        "{}",
        "yes",
        "(((",
        "def f(",
        "",
    ],
)
def test_any_answer_that_data_may_have_gives_answers(gold: str) -> None:
    for prompt in ("How much?", "In ascending order; case-sensitive; within 5 %"):
        item = read_question("task/0", [{"role": "user", "content": prompt}], gold)
        if item:
            list(equivalents(item))
            assert list(wrong_answers(item, ["7", "a, b"], BARE))


def test_a_tolerance_that_is_told_makes_a_near_number_doubtful() -> None:
    for said in (
        "Within 5 %.",
        "The answer may differ from the exact result by at most 1 percent of it.",
        "A relative error of less than 2 % is allowed.",
        "Deviations of up to 3 count.",
    ):
        found = wrong(f"How far? {said}", "3496")
        assert (found["next"][1], found["far"][1]) == ("doubtful", "wrong"), said


def test_a_letter_has_more_than_one_right_wording() -> None:
    for prompt in (
        "Write a letter to Mr Hall.",
        "Draft a short e-mail for the team.",
        "Write an essay on tea.",
    ):
        assert asked(prompt, "Dear Mr Hall,\n\nI am well, thank you.").is_open, prompt
    for prompt in (
        "Write the letter of the right option.",
        "Write a number. Who sent a letter to him?",
    ):
        assert not asked(prompt, "B").is_open, prompt


def test_no_list_of_candidates_is_wrong_where_several_answers_are_right() -> None:
    assert "all" not in wrong("Write a sentence that contains the word river.", "river", "lake")


def test_the_frames_that_a_prompt_shows_come_first() -> None:
    prompt = 'Think in <reasoning></reasoning>. End with one line "Symbol: ...".'
    names = [each.template for each in frames_of([asked(prompt, "MW")])]
    assert f"Symbol: {SLOT}" in names[:2]


def test_the_answer_in_a_right_reply_is_found() -> None:
    frames = frames_of([asked("Put it in \\boxed{}.", "1")])
    frame, held = frame_in("\\boxed{36}", frames)
    assert held == "36"
    assert frame.hold("37") == "\\boxed{37}"


def graded(pays: Callable[[str, str], float], golds: Sequence[str], prompt: str) -> Graded:
    """What a grader pays, by the reply and the right answer of its task."""
    questions = [asked(prompt, gold, f"task/{n}") for n, gold in enumerate(golds)]
    by_task = {each.label: each.gold for each in questions}

    def grade(asks: Sequence[GradeRequest]) -> list[Grade]:
        return [Grade(pays(each.reply, by_task[each.task])) for each in asks if not each.beside] + [
            Grade(reached=False) for each in asks if each.beside
        ]

    return grade_answers([questions], grade, len(golds), 1.0)[0]


GOLDS = [str(1000 + 37 * n) for n in range(12)]


def test_a_grader_that_compares_the_whole_answer_is_left_alone() -> None:
    found = graded(lambda said, gold: float(said.strip() == gold), GOLDS, "Just the plain integer:")
    assert found.frame == "alone"
    assert len(found.best) == len(GOLDS)
    assert found.ceiling
    assert found.ceiling[0] == 0.0
    assert found.false_fails.count == 0


def test_a_grader_that_looks_anywhere_has_a_ceiling_of_all() -> None:
    found = graded(lambda said, gold: float(gold in said), GOLDS, "How many?")
    assert found.ceiling
    assert found.ceiling[0] == 1.0
    ways = {way.probe for way in found.ways("wrong") if found.paid_in_full(way.replies)}
    assert {"all", "negated", "thought", "hedged"} <= ways


@pytest.mark.parametrize("tasks", [51, 59, 130])
def test_every_task_that_gets_other_replies_gets_its_right_one_however_many_tasks_there_are(
    tasks: int,
) -> None:
    golds = [str(1000 + 37 * n) for n in range(tasks)]
    found = graded(lambda said, gold: float(said.strip() == gold), golds, "Just the plain integer:")
    right = {each.task for each in found.replies if each.must == "right"}
    assert {each.task for each in found.replies if each.must != "tried"} == right
    assert not found.changed


def test_negative_rewards_are_measured_from_the_least() -> None:
    def pays(said: str, gold: str) -> float:
        return 1.0 if said == gold else 0.0 if not said.strip() else -1.0

    found = graded(pays, GOLDS, "Just the plain integer:")
    assert found.ceiling
    assert found.ceiling[0] == 0.5  # who says nothing, between the wrong and the right


def test_a_right_answer_that_is_never_paid_is_not_judged() -> None:
    found = graded(lambda said, gold: 0.0, GOLDS, "How many?")
    assert found.unchecked
    assert not found.best


def test_a_rule_that_takes_the_answer_from_the_prompt_is_found_by_play() -> None:
    words = ["piano", "robin", "brick", "cloud", "spoon", "tiger", "plane", "chair"]
    told = [
        asked(f"Decode {word[::-1]}xx (hint {word}).", word, f"t/{n}")
        for n, word in enumerate(words)
    ]
    shortcut = find_shortcut(told)
    assert shortcut
    assert shortcut.share.value == 1.0
    sound = [asked(f"Decode {word[::-1]}xx.", word, f"t/{n}") for n, word in enumerate(words)]
    assert find_shortcut(sound) is None


def test_the_sides_of_an_equation_keep_their_order_where_the_prompt_leaves_another_one_free() -> (
    None
):
    free = frozenset({"any_order"})
    sides = Question("a", "Balance H2 + O2 -> H2O.", "2 H2 + O2 -> 2 H2O", "list", says=free)
    metals = Question("a", "Name all three.", "tin, iron, lead", "list", says=free)
    assert not [name for name, *_ in equivalents(sides) if "order" in name]
    assert [name for name, *_ in equivalents(metals) if "order" in name]


def test_what_a_comma_means_in_a_list_is_kept() -> None:
    def names(gold: str, **more: Any) -> list[str]:
        return [name for name, *_ in equivalents(Question("a", "List them.", gold, "list", **more))]

    assert "list.spacing" in names("265, 339")
    assert "list.spacing" not in names("265,000, 339,000")
    free = frozenset({"any_order"})
    assert "list.order" in names("4, 6, 8", says=free)
    assert "list.order" not in names("4, 6, 8 | misfits: 5", says=free)
    assert "list.order" not in names("(-inf, 2) U (3, inf)", says=free)
    assert "list.order" in names("f(2), g(3)", says=free)
    spaced = asked("Give both ends, with a space after the comma.", "[2, 3]")
    assert not [name for name, *_ in equivalents(spaced) if name == "list.spacing"]


def test_answers_in_a_block_are_tried_where_the_last_block_counts() -> None:
    """The last line of each reply is then the end of the block, which is no answer."""
    prompt = "Name both. End with a ```json block; the last one counts, so does the last line."
    golds = {f"t/{n}": f'["a{n}", "b{n}"]' for n in range(4)}
    questions = [
        Question(label, prompt, f"```json\n{gold}\n```", "list", says=frozenset({"last"}))
        for label, gold in golds.items()
    ]
    held = {each.label: each.gold for each in questions}

    def score(asks: Sequence[GradeRequest]) -> list[Grade]:
        return [Grade(float(ask.reply == held[ask.task])) for ask in asks]

    graded, _ = grade_answers([questions], score, 4, 1.0)
    assert {each.probe for each in graded.replies} >= {"first", "more", "others"}
