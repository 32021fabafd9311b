"""Wrong answers of every structure: what is made of a right number, list, object, text, expression or program."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from skill_tools.checks.rules.graders.wrong_replies import CHECKS
from skill_tools.evidence.declaration import Declaration
from skill_tools.evidence.evidence import AuditRun, Evidence
from skill_tools.evidence.grading.graded import Graded
from skill_tools.graders.grader_audit import grade_answers
from skill_tools.graders.grader_client import Grade, GradeRequest
from skill_tools.graders.perturbations.expressions import endless_expressions, variables_of
from skill_tools.graders.perturbations.json_paths import leaves_of, measured
from skill_tools.graders.perturbations.puzzles import read_puzzle, solve
from skill_tools.graders.perturbations.wrong_answers import wrong_answers
from skill_tools.graders.programs.lookup_programs import table_in, tabled, wrong_tables
from skill_tools.graders.templates.answer_templates import BARE, Template, frames_of
from skill_tools.graders.templates.question import Question, read_question
from skill_tools.graders.templates.reply_formats import framings
from tests.over import over


def asked(prompt: str, gold: Any, label: str = "task/0") -> Question:
    found = read_question(label, [{"role": "user", "content": prompt}], gold)
    assert found
    return found


def wrong(prompt: str, gold: Any, others: Iterable[str] = ("other",)) -> dict[str, str]:
    """The replies that must never be paid, by the way they are made."""
    found = wrong_answers(asked(prompt, gold), list(others), BARE)
    return {each.probe: each.reply for each in found if each.must == "wrong"}


@over(
    ("prompt", "gold", "probe", "reply"),
    [
        ("What percentage is it?", "25", "hundredfold", "2500"),
        ("What percentage is it?", "25", "hundredth", "0.25%"),
        ("How many?", "12", "cut", "12.9"),
        ("How many?", "12", "zero", "0"),
        ("How long is it, within 5 %?", "80", "far", "120"),
        ("What power? State the unit.", "3 MW", "unit.case", "3 mW"),
        ("What length? State the unit.", "12 km", "unit.prefix", "12 m"),
        ("What length? State the unit.", "12 km", "infinite", "1e999 km"),
        ("List the primes.", "2, 3, 5", "filled", "2, 2, 2"),
        ("What energy?", "3.97 \u00d7 10^-19", "tenfold", "3.97 \u00d7 10^-18"),
        ("What energy?", "3.97e-19", "power-sign", "3.97e19"),
        ("Which genitive? Mind the macrons.", "tāl", "unmarked", "tal"),
        ("Which rows?", "SELECT a FROM t JOIN u", "query.deletes", "WITH one AS (SELECT 1) DELETE FROM t"),
        ("Reply in JSON. The number is never true.", '{"n": 1, "ok": true}', "json.truths",
         '{"n": true, "ok": true}'),
        ("Give the fraction.", "3/4", "denominator", "3/5"),
        ("Which parts? We have AB-12, CD-34 and EF-5.", "CD-34, AB-12", "alike", "AB-12, CD-34"),
        ("Which parts? We have AB-12, CD-34 and EF-56.", "EF-56, AB-12", "alike", "AB-12, CD-34, EF-56"),
        ("Which line?", "2y = 3x + 4", "expression.identity", "y = y"),
        ("At what time?", "1:23", "shifted", "12:3"),
        ("At what time?", "2:35 PM", "half-day", "2:35 AM"),
        ("Translate the sign.", "This door must not be locked", "contrary", "This door must be locked"),
        ("Balance it.", "2 H2 + O2 = 2 H2O", "no-numbers", "H + O = HO"),
        ("Who was it?", "Johann Bach", "last-word", "Johann zqxv"),
        ("List the primes.", "2, 3, 5", "all-but-middle", "2, 5"),
        ("Give them in the right order.", "a, b, c", "swapped", "b, a, c"),
        ("Solve both.", "x = 1, y = 2", "exchanged", "x = 2, y = 1"),
        ("Which apply?\nA) one\nB) two\nC) three", "A, B", "union", "A, B, C"),
    ],
)  # fmt: skip
def test_an_answer_of_each_structure_has_wrong_ones_near_it(
    prompt: str, gold: str, probe: str, reply: str
) -> None:
    assert wrong(prompt, gold, ["A, B"] if "apply" in prompt else ["other"]).get(probe) == reply


def test_an_order_that_may_be_free_makes_no_wrong_answer() -> None:
    assert "exchanged" in wrong("Which days?", "day 5 and day 7")
    assert "exchanged" not in wrong("Which days? Any order will do.", "day 5 and day 7")


def test_a_reply_without_some_items_is_wrong_even_if_the_grader_computes_what_is_right() -> None:
    def short(prompt: str, gold: str) -> set[str]:
        question = replace(asked(prompt, gold), free=True)
        found = wrong_answers(question, ["other"], BARE)
        return {each.probe for each in found if each.must == "wrong" and "first" in each.probe}

    assert "lines.first" in short("Report all parts that differ, one per line.", "a: 1\nb: 2")
    assert "first" in short("List every part that differs.", "a, b, c")
    assert "lines.first" in short("Link each mention. One line for it.", "a => 1\nb => 2")
    assert not short("Plan a visit, one place per line.", "a: 1\nb: 2")
    assert not short("Write every quotation on a line of its own.", "a: 1\nb: 2")
    assert not short("For each day you lose a point. Plan a visit.", "a: 1\nb: 2")
    guests = '{"Ann": ["tea"], "Bo": ["milk"]}'
    assert "json.no-first-key" in short("Map each of the 2 guests (Ann, Bo) to drinks.", guests)
    assert not short("Map guests (Ann, Bo) to drinks.", guests)


def test_words_of_a_row_are_forbidden_only_where_the_prompt_lists_them() -> None:
    def forbidden(prompt: str) -> bool:
        row = (("kind", "words"), ("avoid", "river"))
        question = replace(asked(prompt, "An old town by the sea."), row=row)
        return any(e.probe == "forbidden" for e in wrong_answers(question, [], BARE))

    assert forbidden("Describe it. Do not use the words river or hill.")
    assert not forbidden("Describe it. Words such as don't and well-known are one word each.")


def test_of_several_lines_with_a_label_another_may_count() -> None:
    lines = "Winner: Ann\nHand: pair"
    found = wrong("Who wins?", lines, ["**Winner:** Bo\n**Hand:** flush"])
    assert found["lines.other-first"] == "**Winner:** Bo\nHand: pair"
    assert not {"lines.more-first", "hedged-last", "taken-back"} & set(found)


def test_the_first_of_all_choices_may_be_the_answer_on_its_line() -> None:
    prompt = "Which?\nA) one\nB) two\nC) three"
    assert wrong(prompt, "B", ["A", "C"])["all-lines"] == "A\nB\nC"
    assert "all-lines" not in wrong(prompt, "A", ["B", "C"])


def test_a_product_with_a_number_that_begins_with_ten_is_no_power_of_ten() -> None:
    assert "power-sign" not in wrong("Which product is it?", "12 x 101")


def test_items_that_come_twice_are_wrong_once_and_the_other_way_round() -> None:
    found = wrong("Factor it.", "2, 2, 3", ["5, 7"])
    assert found["once"] == "2, 3"
    assert found["again"] == "2, 2, 3, 2"
    assert "again" not in wrong("Name the colours.", "red, blue", ["green, red"])
    once = "Name who is in. A name that you write twice counts once."
    assert "again" not in wrong(once, "Ada, Bo", ["Cleo, Dan"])


def test_a_date_is_also_written_as_the_prompt_shows_one() -> None:
    day_first = "Which day is it? Write it as 1999-12-31 or as 31/12/1999."
    found = wrong(day_first, "2024-02-03", ["2023-01-05"])
    assert found["turned-as-shown"] == "02/03/2024"
    month_first = wrong("Which day? As in 12/31/1999.", "2024-02-03", ["2023-01-05"])
    assert month_first["turned-as-shown"] == "03/02/2024"
    for unclear in ("Which day? As in 11/12/1999.", "Which day is it?"):
        assert "turned-as-shown" not in wrong(unclear, "2024-02-03", ["2023-01-05"])
    assert "turned-as-shown" not in wrong(day_first, "2024-02-20", ["2023-01-05"])


def test_an_item_with_another_minus_is_no_item_of_another_answer() -> None:
    assert wrong("Which types?", "A+, O-", ["O\u2212, B+"])["more"] == "A+, O-, B+"


def test_any_order_that_keeps_rules_is_not_every_order() -> None:
    assert "any_order" in asked("List them in any order.", "a, b").says
    assert "any_order" not in asked("Any order that keeps the rules is right.", "a, b").says


def test_programs_are_no_expressions_that_never_end() -> None:
    program = "def f(x):\n    return x"
    found = wrong_answers(asked("Write f, which evaluates an expression.", program), [], BARE)
    assert not [each for each in found if each.probe.startswith("endless")]


def test_an_order_that_a_prompt_does_not_ask_for_is_not_wrong() -> None:
    assert "swapped" not in wrong("Name three.", "a, b, c")
    assert "lines.backwards" not in wrong("Sort them.", "1. U\n2. Fe\n3. Au")


def test_objects_are_changed_at_every_depth() -> None:
    call = {"name": "book", "arguments": {"city": "Rome", "nights": 3, "guests": ["Ann", "Bo"]}}
    found = wrong("Reply with the call as JSON.", json.dumps(call))
    made = {probe: json.loads(text) for probe, text in found.items() if probe.startswith("json.")}
    assert made["json.no-last-item"]["arguments"]["guests"] == ["Ann"]
    assert made["json.values"]["arguments"]["nights"] == 13
    assert made["json.values-but-first"]["name"] == "book"
    assert made["json.values-but-first"]["arguments"]["city"] == "zqxv"
    assert made["json.one-key"] == {"name": "book"}
    assert all(each != call for each in made.values())


@over("gold", ["2*x", "3x^2 - 4", "exp(x)*(x+1)", "n*(n+1)/2"])
def test_expressions_with_variables_are_told_from_other_texts(gold: str) -> None:
    assert len(variables_of(gold)) == 1


@over("gold", ["Paris", "2024-01-01", "x", "hello world", "C4H10", "12 km"])
def test_other_texts_are_no_expressions(gold: str) -> None:
    assert not variables_of(gold)


def graded(
    pays: Callable[[str, Question], float], questions: Sequence[Question], *, known: bool = True
) -> Graded:
    items = {each.label: each for each in questions}

    def grade(asks: Sequence[GradeRequest]) -> list[Grade]:
        return [Grade(pays(each.reply, items[each.task])) for each in asks]

    empty = [Question(each.label, each.prompt, "", "text") for each in questions]
    found, _ = grade_answers([questions if known else empty], grade, len(questions), 1.0)
    return found


def messages(found: Graded) -> str:
    evidence = Evidence(Declaration(name="some"), audit=AuditRun(graded=found))
    hits = (hit for each in CHECKS for hit in each.find(evidence))
    return "; ".join(hit.message for hit in hits if hit.level != "note")


def test_expressions_that_are_compared_at_one_point_are_found() -> None:
    golds = ["2*x", "3*x**2", "x + 5", "x**3 - x"]

    def pays(reply: str, item: Question) -> float:
        if "9**9" in reply:  # takes for ever
            return 0.0
        try:
            one, two = (eval(each, {"__builtins__": {}, "x": 1}) for each in (reply, item.gold))
        except (SyntaxError, ValueError, NameError, TypeError, AttributeError, ArithmeticError):
            return 0.0
        return float(one == two)

    questions = [asked("Differentiate f.", gold, f"task/{n}") for n, gold in enumerate(golds)]
    assert "agrees if the variable is 1" in messages(graded(pays, questions))
    assert not messages(graded(lambda reply, item: float(reply == item.gold), questions))


@over(
    ("prompt", "gold", "given"),
    [
        ("What is 9 squared? Give the value, or an expression for it.", "81", True),
        ("Using 3, 4 and 6, write an equation that makes 36.", "", True),
        ("Differentiate x squared.", "2*x", True),
        ("Write 14 with 2, 3 and 4.", "2 + 3*4", True),
        ("What is 9 squared? Reply with the number.", "81", False),
        ("When was it?", "2024-05-01", False),
        ("Who was it?", "Ada", False),
    ],
)
def test_an_expression_without_end_is_given_where_a_prompt_allows_expressions(
    prompt: str, gold: str, given: bool
) -> None:
    question = asked(prompt, gold or None, "task/0")
    replies = [each.reply for each in endless_expressions(question, BARE)]
    assert ("9**9**9**9" in replies) is given


def test_blocks_that_are_paid_each_are_found() -> None:
    prompt = 'Work in blocks <step>...</step>, then write a last line "Floor: N".'

    def pays(reply: str, item: Question) -> float:
        right = reply.rstrip().endswith(f"Floor: {item.gold}")
        return 0.8 * right + 0.1 * reply.count("<step>")

    questions = [asked(prompt, str(n), f"task/{n}") for n in range(3, 15)]
    assert "50 blocks of <step>" in messages(graded(pays, questions))

    def sound(reply: str, item: Question) -> float:
        return float(reply.rstrip().endswith(f"Floor: {item.gold}"))

    assert not messages(graded(sound, questions))


def test_what_breaks_no_rule_is_found_where_no_right_answer_is_known() -> None:
    prompts = [f"Name cities of at most {n} letters as a JSON list." for n in range(4, 16)]

    def pays(reply: str, item: Question) -> float:
        try:
            named = json.loads(reply)
        except ValueError:
            return 0.0
        limit = int(item.prompt.split()[5])
        return float(isinstance(named, list) and all(len(str(each)) <= limit for each in named))

    questions = [asked(prompt, None, f"task/{n}") for n, prompt in enumerate(prompts)]
    said = messages(graded(pays, questions, known=False))
    assert "no right answer is known" in said
    assert "the text []" in said


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_a_puzzle_of_numbers_is_solved_and_its_short_cuts_are_tried() -> None:
    prompt = "Using the numbers [36, 60, 51], create an equation that equals 27."
    assert read_puzzle(prompt) == ((36, 60, 51), 27)
    assert eval(solve((36, 60, 51), 27)) == 27
    assert read_puzzle("How many apples are 3, 4 and 5?") is None

    def pays(reply: str, item: Question) -> float:
        numbers, target = read_puzzle(item.prompt) or ((), 0)
        digits = sorted(map(int, __import__("re").findall(r"\d+", reply)))
        if digits != sorted(numbers):
            return 0.0
        try:
            value = eval(reply, {"__builtins__": {}, "target": target})
        except (SyntaxError, ValueError, NameError, TypeError, AttributeError, ArithmeticError):
            return 0.0
        return float(value == target)

    several = [(4, 6, 8, 32), (5, 7, 9, 44), (2, 3, 11, 35), (1, 9, 10, 100)]
    questions = [
        asked(
            f"Using the numbers [{a}, {b}, {c}], create an equation that equals {t}.",
            None,
            f"task/{n}",
        )
        for n, (a, b, c, t) in enumerate(several)
    ]
    assert "the name *target*" in messages(graded(pays, questions, known=False))
    prompt = "Use the numbers 8, 4, 6, 5, each exactly once, in an expression that equals 24."
    question = replace(asked(prompt, "8 + 4 + 6 + 5 + 1"), free=True)
    found = {e.probe: e for e in wrong_answers(question, [], BARE)}["puzzle.commented"]
    assert found.must == "wrong"
    assert eval(found.reply) == 24


ROW = json.dumps({"name": "mean", "tests": [[[[0.1, 0.2]], 0.15000000000000002], [[[1.0]], 1.0]]})


@over(
    ("text", "rows"),
    [
        (ROW, 2),
        (json.dumps({"inputs": [[1], [2]], "outputs": [2, 4], "entry_point": "f"}), 2),
        (json.dumps([{"input": [1], "output": 2}, {"input": [2], "output": 4}]), 2),
        (json.dumps(["assert f(1) == 2", "assert f(2) == 4", "assert f(3) == 6"]), 3),
        ("assert f('a b') == {'a': 1}\nassert f('') == {}", 2),
        (json.dumps([["(2, 3)", "6"], ["(1, 1)", "1"]]), 2),
    ],
)
def test_tests_of_every_form_are_read_as_a_table(text: str, rows: int) -> None:
    table = table_in(text, "f")
    assert table
    assert len(table.rows) == rows
    known: dict[str, Any] = {}
    exec(table.program(table.rows), known)  # noqa: S102
    for given, want in table.rows:
        assert known[table.name](*given) == want


def test_a_script_has_its_tests_by_heart_as_well() -> None:
    table = table_in(json.dumps([{"stdin": "1 2\n", "stdout": "3\n"}]), "", "Read standard input.")
    assert table
    assert "'1 2': '3\\n'" in table.program(table.rows)


@pytest.mark.everything("costly")
def test_a_program_that_empties_what_it_is_given_misleads_who_runs_the_right_one_afterwards() -> (
    None
):
    programs = {
        "double": "def double(xs):\n    return [2 * x for x in xs]\n",
        "sorts": "def sorts(xs):\n    return sorted(xs)\n",
    }
    cases = [[3, 1, 2], [5, 4]]

    def ran(reply: str, item: Question, *, copied: bool) -> float:
        if any(word in reply for word in ("sys", "builtins", "_exit")):
            return 0.0
        name = next(each for each in programs if f"def {each}" in item.gold)
        own: dict[str, Any] = {}
        right: dict[str, Any] = {}
        try:
            exec(reply.partition("```python\n")[2].rpartition("\n```")[0], own)  # noqa: S102
            exec(item.gold, right)  # noqa: S102
            for case in cases:
                given = list(case)
                got = own[name](given)
                want = right[name](list(case) if copied else given)
                if json.dumps(got) != json.dumps(want):
                    return 0.0
        except (Exception, SystemExit):  # noqa: BLE001
            return 0.0
        return 1.0

    questions = [
        replace(
            asked(f"Write {name}(xs).", text, f"task/{name}"),
            beside=(json.dumps({"cases": [[c] for c in cases]}),),
        )
        for name, text in programs.items()
    ]
    misled = messages(graded(lambda r, i: ran(r, i, copied=False), questions))
    assert "first empties its list" in misled
    assert not messages(graded(lambda r, i: ran(r, i, copied=True), questions))


def test_the_last_bit_of_a_value_is_another_spelling() -> None:
    question = asked("Write the function mean(xs).", ROW)
    (((made,),),) = [[some[:1] for some in tabled([[question]])]]
    ways = {each.probe: each for each in wrong_tables(made, BARE)}
    assert ways["code.last-bit"].must == "equivalent"
    assert "0.15000000000000005" in ways["code.last-bit"].reply
    assert ways["tests.not-last"].must == "wrong"


def test_line_breaks_in_tags_and_thoughts_before_an_answer_are_as_good() -> None:
    tags = Template("in <answer> tags", "<answer>\x00</answer>", said=True)
    question = asked("Reply in <answer>...</answer>.", "12")
    found = {way: reply for way, _, reply in framings(question, tags)}
    assert found["lines"] == "<answer>\n12\n</answer>"
    strict = asked("Copy it exactly into <answer>...</answer>.", "12")
    assert not list(framings(strict, tags))


def test_a_number_gets_the_unit_that_its_prompt_names_and_the_form_that_it_shows() -> None:
    prompt = 'How far? Close with "Way = <number> <unit>"; the unit is one of m, km.'
    questions = [asked(prompt, each, f"task/{each}") for each in ("12", "57", "830")]
    (several,) = measured([questions])
    assert [each.gold for each in several] == ["12 m", "57 m", "830 m"]
    (inner,) = leaves_of([[asked(prompt, {"si": n, "rel": 0.01}, f"task/{n}") for n in (3, 4, 5)]])
    assert [each.gold for each in inner] == ["3", "4", "5"]
    assert "Way = \x00" in {each.template for each in frames_of(questions)}

    def pays(reply: str, item: Question) -> float:
        return float(reply == f"Way = {item.gold} m")

    found = graded(pays, questions)
    assert not found.unchecked
    assert not messages(found)
