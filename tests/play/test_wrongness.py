"""Whether an answer that was made wrong is wrong by other readings than the grader's, and those near the right one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pytest

from skill_tools.checks.rules.graders.wrong_replies import CHECKS
from skill_tools.evidence.declaration import Declaration
from skill_tools.evidence.evidence import AuditRun, Evidence
from skill_tools.evidence.grading.graded import Graded, GradedReply
from skill_tools.graders.answer_spellings import equivalents
from skill_tools.graders.grader_audit import grade_answers
from skill_tools.graders.grader_client import Grade, GradeRequest
from skill_tools.graders.perturbations.wrong_answers import wrong_answers
from skill_tools.graders.templates.answer_templates import BARE, SLOT, Template
from skill_tools.graders.templates.dates import read_date
from skill_tools.graders.templates.question import Question, read_question
from skill_tools.graders.templates.reply_formats import SAID_AFTER, said
from skill_tools.graders.wrongness import is_right, settle, value_in
from tests.over import over

MARKER = Template("after ####", f"#### {SLOT}")
TAGS = Template("in <answer> tags", f"<answer>{SLOT}</answer>")


def asked(prompt: str, gold: object, label: str = "task/0") -> Question:
    found = read_question(label, [{"role": "user", "content": prompt}], gold)
    assert found
    return found


@over(
    ("gold", "answer", "right"),
    [
        ("$6$", "$6", True),
        ("6", "\\boxed{6}", True),
        ("0.5", "\\frac{1}{2}", True),
        ("1,080", "1080", True),
        ("24", "20 + 4", True),
        ("2024-07-16", "July 16, 2024", True),
        ('{"a": [1, 2]}', '{"a":[1,2]}', True),
        ("0o20 > 0xF > 0b1111 > 14", "0o20 > 0b1111 > 0xF > 14", True),
        ("3/4 > 72% > 0.7", "3/4 > 0.7 > 72%", False),
        ("24", "2 4", False),
        ("24", "25", False),
        ("1989", "19.89", False),
        ("24", "24 + 1", False),
        ("2", "²", False),
        ("Co", "CO", False),
        ("2024-07-06", "2024-06-07", False),
        ("", "", False),
        ("24", "9**9**9**9", False),
    ],
)
def test_an_answer_that_is_right_by_value_date_or_form_is_not_wrong(
    gold: str, answer: str, right: bool
) -> None:
    assert is_right(answer, Question("t", "", gold, "text")) is right


@pytest.mark.everything("graders")
def test_a_huge_power_is_not_computed() -> None:
    assert value_in("9**9**9**9") is None
    assert value_in("2^10") == 1024


def findings(
    pays: Callable[[str, Question], float],
    candidates: Sequence[Sequence[Question]],
    level: str = "",
) -> str:
    """What GRA001 and 014 say of a grader, without notes or, as ``level``, of one level alone."""
    items: Mapping[str, Question] = {each.label: each for each in candidates[0]}

    def grade(asks: Sequence[GradeRequest]) -> list[Grade]:
        return [Grade(pays(each.reply, items[each.task])) for each in asks]

    found, _ = grade_answers(candidates, grade, len(candidates[0]), 1.0)
    evidence = Evidence(Declaration(name="some"), audit=AuditRun(graded=found))
    hits = [hit for each in CHECKS for hit in each.find(evidence)]
    wanted = [hit for hit in hits if (hit.level == level if level else hit.level != "note")]
    return "; ".join(hit.message for hit in wanted)


SUMS = [asked(f"What is {n} plus {n + 11}?", 2 * n + 11, f"t/{n}") for n in range(104, 112)]


@pytest.mark.everything("graders")
def test_a_second_number_that_is_never_read_is_no_failure() -> None:
    def pays(reply: str, item: Question) -> float:
        return float(reply.rpartition("####")[2].split()[:1] == [item.gold] and "####" in reply)

    several = [asked(f"{q.prompt} Answer after ####.", q.gold, q.label) for q in SUMS]
    assert not findings(pays, [several])
    assert "a second number after the right one" in findings(pays, [several], "note")
    assert findings(lambda r, q: float(q.gold in r.split()), [several])


@pytest.mark.everything("graders")
def test_a_denial_that_prints_the_same_is_no_failure() -> None:
    def pays(reply: str, item: Question) -> float:
        return float(reply.strip().removeprefix("not ") == item.gold)

    several = [asked("Write one line of Python.", f"print({n})", f"t/{n}") for n in range(50, 58)]
    assert not findings(pays, [several])
    named = [asked("Who was it?", f"Name{n}", f"t/{n}") for n in range(50, 58)]
    assert "the right answer, negated" in findings(pays, [named])


@pytest.mark.everything("graders")
def test_alternatives_within_an_object_are_alternatives() -> None:
    golds = [{"target": [f"Name{n}a", f"Other{n}"]} for n in range(8)]
    several = [asked("Who was it?", gold, f"t/{n}") for n, gold in enumerate(golds)]

    def pays(reply: str, item: Question) -> float:
        return float(reply in golds[int(item.label[2:])]["target"])

    assert not findings(pays, [several])
    within = findings(lambda r, q: float(f"Name{q.label[2:]}a" in r), [several])
    assert "the right answer, negated" in within
    assert "one list" not in within


@pytest.mark.everything("graders")
def test_a_list_of_which_each_item_alone_earns_nothing_is_no_list_of_alternatives() -> None:
    golds = [[f"First{n}", f"Second{n}", f"Third{n}"] for n in range(8)]
    prompts = [f"Put all of these into their order, one per line: {sorted(each)}" for each in golds]
    lists = [
        asked(p, "\n".join(g), f"t/{n}")
        for n, (p, g) in enumerate(zip(prompts, golds, strict=True))
    ]
    alternatives = [
        replace(q, gold=g[0], also=tuple(g[1:])) for q, g in zip(lists, golds, strict=True)
    ]

    def begins(reply: str, item: Question) -> float:
        said = reply.strip().split("\n")
        return float(said == golds[int(item.label[2:])][: len(said)])

    assert "the first item alone" in findings(begins, [alternatives, lists])


@pytest.mark.everything("graders")
def test_an_expression_that_uses_a_number_twice_does_not_solve_a_puzzle() -> None:
    numbers = ["3, 3, 8, 8", "1, 5, 5, 5", "2, 3, 4, 4", "1, 2, 3, 4", "4, 4, 6, 6"]
    several = [
        asked(
            f"Use the numbers {each} to make 24, each exactly once. Give the expression.",
            "x",
            f"t/{n}",
        )
        for n, each in enumerate(numbers)
    ]

    def pays(reply: str, item: Question, often: bool) -> float:
        used = re.findall(r"\d+", reply)
        given = re.findall(r"\d+", item.prompt.partition(" to make")[0])
        fits = sorted(used) == sorted(given) if often else set(used) == set(given)
        return float(fits and value_in(reply) == 24)

    empty = [replace(each, gold="") for each in several]
    assert not findings(lambda r, q: pays(r, q, True), [empty])
    assert "uses one number twice" in findings(lambda r, q: pays(r, q, False), [empty])


@over(
    ("prompt", "ordered"),
    [
        ("Sort these from the largest to the smallest.", True),
        ("Sort them by date.", True),
        ("Sort this support ticket. Give every label.", False),
    ],
)
def test_to_sort_asks_for_an_order_if_it_says_by_what(prompt: str, ordered: bool) -> None:
    assert ("ordered" in asked(prompt, "a, b, c").says) is ordered


@pytest.mark.everything("graders")
def test_a_column_that_the_prompt_contains_is_not_the_right_answer() -> None:
    pairs = [("dog", "perro"), ("cat", "gato"), ("sun", "sol"), ("moon", "luna"), ("king", "rey")]
    made = [
        [asked(f"What is the Spanish for {pair[0]}?", pair[side], f"t/{pair[0]}") for pair in pairs]
        for side in (0, 1)
    ]
    words = dict(pairs)

    def both(reply: str, item: Question) -> float:
        return float(reply.strip() in (item.label[2:], words[item.label[2:]]))

    for candidates in (made, made[::-1]):
        message = findings(both, candidates)
        assert "another value of the row, which the prompt contains" in message
        assert "'sun'" in message or "'dog'" in message or "'cat'" in message
        assert not findings(lambda r, q: float(r.strip() == words[q.label[2:]]), candidates)


NODES = [f"Which nodes? Give the set of nodes as 'Final: [a, b]'. Graph {n}." for n in range(8)]


def in_brackets(reply: str) -> list[str]:
    """The items of a list in brackets on the last line, as a careful grader reads them."""
    inner = reply.strip().rpartition("\n")[2].removeprefix("Final: ")
    inner = inner.strip("*").strip() if inner.startswith("[") and inner.endswith("]") else ""
    return [each.strip() for each in inner[1:-1].split(",")] if inner else []


@pytest.mark.everything("graders")
def test_a_set_in_brackets_has_the_same_items_in_any_order() -> None:
    golds = [f"[n{n}, n{n + 1}, x]" for n in range(8)]
    several = [asked(p, g, f"t/{n}") for n, (p, g) in enumerate(zip(NODES, golds, strict=True))]

    def pays(reply: str, item: Question) -> float:
        return float(sorted(in_brackets(reply)) == sorted(in_brackets(item.gold)))

    assert not findings(pays, [several])
    said = {probe: text for probe, _, text in equivalents(several[0])}
    assert said["list.order"] == "[x, n1, n0]"
    assert not is_right("[n1, x]", several[0])


@pytest.mark.everything("graders")
def test_the_question_is_right_if_its_example_is_the_right_answer() -> None:
    several = [
        asked(
            f"Is {n} odd or even? End with:\nFinal answer: {'Odd' if n < 14 else 'Even'}",
            w,
            f"t/{n}",
        )
        for n in range(10, 18)
        for w in ["Odd" if n % 2 else "Even"]
    ]

    def pays(reply: str, item: Question) -> float:
        _, label, said = reply.strip().rpartition("Final answer:")
        return float(bool(label) and said.strip() == item.gold)

    assert not findings(pays, [several])


RULES = [
    json.dumps(each)
    for n in range(3)
    for each in ({"task": f"a{n}", "content": f"word{n}"}, {"rules": ["no_comma"], "kwargs": n})
]


@pytest.mark.everything("graders")
def test_a_column_with_replies_and_with_rules_has_a_right_answer_only_where_it_earns() -> None:
    golds = [*(f"Name{n}" for n in range(4)), *RULES]
    several = [asked(f"Say what it is, {n}.", gold, f"t/{n}") for n, gold in enumerate(golds)]

    def pays(reply: str, item: Question) -> float:
        whole = json.loads(item.gold) if item.gold.startswith("{") else {"content": item.gold}
        whole = json.loads(golds[int(item.label[2:])]) if item.label[2:] > "3" else whole
        return float(reply.strip() == whole.get("content"))

    items = {each.label: each for each in several}
    found, _ = grade_answers(
        [several], lambda asks: [Grade(pays(a.reply, items[a.task])) for a in asks], 10, 1.0
    )
    right = {r.task: r.reply for r in found.replies if r.must == "right"}
    assert right["t/4"] == "word0"
    assert set(right) == {"t/0", "t/1", "t/2", "t/3", "t/4", "t/6", "t/8"}
    assert set(found.best) == set(right)


def wrong(prompt: str, gold: str, frame: Template = BARE) -> dict[str, str]:
    found = wrong_answers(asked(prompt, gold), ["other"], frame)
    return {each.probe: each.reply for each in found if each.must == "wrong"}


CALLS = '[{"name": "f", "arguments": {"x": 1, "y": 2}}]'
PASSAGE = f"Read this.\n{'many words ' * 12}Paris and more\nWhich city is it?"


@over(
    ("prompt", "gold", "probe", "reply"),
    [
        ("How many?", "1989", "near", "2009"),
        ("How many?", "24", "blank-in", "2 4"),
        ("Which year?", "1989", "point-in", "19.89"),
        ("How many?", "24", "unit-in", "2km4"),
        ("Who?", "Paris", "unit-in", "Pakmris"),
        ("Which word?", "tissue", "no-middle-letter", None),
        ("Which symbol?", "KLMNO", "no-middle-letter", "KLNO"),
        ("What area?", "36\\pi", "no-constant", "36"),
        ("What area?", "36π", "no-constant", "36"),
        ("Name four.", "a, b, c, d", "first-half", "a, b"),
        ("When?", "16 July 2024", "year", "16 July 2025"),
        ("When?", "5 July 2024", "turned", "7 May 2024"),
        ("When?", "07/05/2024", "day", "07/06/2024"),
        ("Call it as JSON.", CALLS, "json.more-arguments", CALLS.replace("}}", ', "zqxv": "zqxv"}}')),
        ("Call it as JSON.", CALLS, "json.no-argument", '[{"name": "f", "arguments": {"x": 1}}]'),
        ("Call it as JSON.", CALLS, "json.other-argument", '[{"name": "f", "arguments": {"x": 1, "y": 11}}]'),
        ("Call it as JSON.", CALLS, "json.again", f"{CALLS[:-1]}, {CALLS[1:]}"),
        (PASSAGE, "Paris", "passage", PASSAGE.split("\n")[1]),
        ("Who?", "Paris", "taken-back", "Paris. No, wait, other"),
        ("Which?\nA) one\nB) two", "A", "said.letters", "A look at A and B helps.\nother"),
        ("Is it?", "no", "said.substring", "I know nothing else of note.\nyes"),
    ],
)  # fmt: skip
def test_there_are_wrong_answers_near_the_right_one(
    prompt: str, gold: str, probe: str, reply: str | None
) -> None:
    assert wrong(prompt, gold).get(probe) == reply


def test_another_name_in_the_list_with_the_right_one_is_right() -> None:
    row = (("aliases", "Indian Ocean"), ("aliases", "Indian"), ("other", "Arctic"))
    question = Question("t", "Which ocean is it?", "Indian Ocean", "text", row=row)
    reply = GradedReply("t", "prefix", "wrong", "half", "<a>Indian</a>", 1.0)
    right = GradedReply("t", "right", "right", "right", "<a>Indian Ocean</a>", 1.0)
    nonsense = GradedReply("t", "nonsense", "wrong", "nonsense", "<a>zqxv</a>", 0.0)
    tags = Template("tags", f"<a>{SLOT}</a>")

    def must(question: Question) -> str:
        graded = Graded(tasks=1, replies=(right, reply, nonsense))
        return settle(graded, [question], tags).replies[1].must

    assert must(question) == "open"
    shown = replace(question, prompt="Which is it, the Indian or the Indian Ocean?")
    assert must(shown) == "wrong"


def test_true_is_not_one() -> None:
    assert is_right('{"n": 1.0}', Question("t", "", '{"n": 1}', "json"))
    assert not is_right('{"n": true}', Question("t", "", '{"n": 1}', "json"))


@pytest.mark.everything("graders")
def test_what_a_marker_leaves_open_is_not_taken_back_for_sure() -> None:
    assert "taken-back" not in wrong("Who?", "Paris", MARKER)
    assert wrong("Who?", "Paris", TAGS)["taken-back"].endswith("other</answer>")
    assert wrong("Who was it?", "Paris", TAGS)["echo.place"] == "<answer>Who was it?</answer>"


@over(
    ("text", "prefer", "iso"),
    [
        ("2024-07-16", "", "2024-07-16"),
        ("July 16, 2024", "", "2024-07-16"),
        ("16 July 2024", "", "2024-07-16"),
        ("07/06/2024", "", "2024-07-06"),
        ("07/06/2024", "day", "2024-06-07"),
        ("16/07/2024", "", "2024-07-16"),
        ("07.06.2024", "", "2024-06-07"),
        ("Paris", "", ""),
        ("192.168.2024", "", ""),
        ("2024", "", ""),
    ],
)
def test_dates_are_read_as_people_write_them(text: str, prefer: str, iso: str) -> None:
    found = read_date(text, prefer)
    assert (found.day.isoformat() if found else "") == iso


def said_of(prompt: str, gold: str, frame: Template = BARE) -> dict[str, str]:
    question = asked(prompt, gold)
    return {
        **{probe: text for probe, _, text in equivalents(question)},
        **{probe: reply for probe, _, reply in said(question, frame)},
    }


@over(
    ("prompt", "gold", "frame", "probe", "reply"),
    [
        ("How many?", "7654321", BARE, "number.separators", "7,654,321"),
        ("Copy the index 7654321.", "7654321", BARE, "number.separators", None),
        ("How many?", "24", BARE, "said.clause", "24, because nothing else fits the question."),
        ("Which one?\nA) x\nB) y", "B", BARE, "said.sentence", "The answer is B."),
        ("How many? Reply with the number.", "24", BARE, "said.clause", None),
        ("How many?", "24", TAGS, "said.after", f"<answer>24</answer>{SAID_AFTER}"),
        ("How many? End with <answer>.", "24", TAGS, "said.after", None),
        ("How many?", "24", MARKER, "said.after", None),
        ("When?", "July 16, 2024", BARE, "text.iso", "2024-07-16"),
        ("When?", "2024-07-16", BARE, "date.words-day-first", "16 July 2024"),
        ("When?", "07/06/2024", BARE, "text.iso", None),
        ("List them in any order.", "a, b, c", BARE, "list.order-2", "b, c, a"),
    ],
)  # fmt: skip
def test_a_right_answer_is_also_said_otherwise(
    prompt: str, gold: str, frame: Template, probe: str, reply: str | None
) -> None:
    assert said_of(prompt, gold, frame).get(probe) == reply
