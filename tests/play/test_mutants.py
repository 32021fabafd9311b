"""Mutants of right programs, the inputs that tell them apart, and the tests that miss them."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from skill_tools.audit.grading.right_answers import candidates
from skill_tools.evidence.grading.graded import Graded
from skill_tools.graders.answer_spellings import equivalents
from skill_tools.graders.grader_audit import PROGRAM, grade_answers
from skill_tools.graders.grader_client import Grade, GradeRequest
from skill_tools.graders.programs.examples import defined_in, examples_in
from skill_tools.graders.programs.input_invariants import is_like
from skill_tools.graders.programs.mutants import MOST, mutants
from skill_tools.graders.programs.programs import wrong_programs
from skill_tools.graders.programs.reward_hacks import Outline, cheats, rough_cheats
from skill_tools.graders.programs.shown_programs import shown_alone, shown_then_exits
from skill_tools.graders.templates.answer_templates import BARE
from skill_tools.graders.templates.question import Question, read_question
from skill_tools.report.outcome import Outcome
from tests.audits import audit
from tests.over import over
from tests.selection import few

LARGEST = '''def largest(xs, k):
    """The k largest different numbers, the largest first."""
    found = []
    for x in sorted(set(xs), reverse=True):
        if len(found) < k and not x == 13:
            found.append(x)
    return found[:k]
'''
VOWELS = """def vowels(s):
    n = 0
    for c in s.lower():
        if c in "aeiou":
            n += 1
    return n
"""
LEAP = """def leap(y):
    return y % 4 == 0 and (y % 100 != 0 or y % 400 == 0)
"""
CLAMP = """def clamp(x, low, high):
    if x < low:
        return low
    if x > high:
        return high
    return x
"""
SCRIPT = """n = int(input())
total = 0
for x in input().split()[:n]:
    if int(x) > 0:
        total += int(x)
print(total)
"""


def coded(prompt: str, program: str, tests: Any, label: str = "task/0") -> Question:
    found = read_question(label, [{"role": "user", "content": prompt}], program)
    assert found
    assert found.kind == "code"
    return replace(found, beside=(json.dumps({"tests": tests}),))


def told(
    item: Question, pays: Callable[[str], float] = lambda program: 0.0
) -> list[tuple[str, str]]:
    """How each wrong program is wrong, and the test that finds it."""

    def grade(asks: Sequence[GradeRequest]) -> list[Grade]:
        return [Grade(pays(each.reply)) for each in asks]

    return [(each.given.how, each.test) for each in wrong_programs([item], PROGRAM, grade)]


def test_each_kind_of_change_is_made_and_says_its_line() -> None:
    made = mutants(LARGEST)
    kinds = {each.operator for each in made}
    expected = {"loop", "call", "argument", "constant", "branch", "boolean", "comparison"}
    assert expected | {"negation", "statement", "returned", "bound", "condition"} <= kinds
    assert len(made) <= MOST
    assert "line 5: `len(found) < k` is `len(found) <= k`" in {each.how for each in made}
    for each in made:
        assert ast.dump(ast.parse(each.program)) != ast.dump(ast.parse(LARGEST))
    assert mutants(LARGEST) == made


def test_what_is_said_and_not_done_is_not_changed() -> None:
    program = 'def f(x: int = 2) -> "int":\n    """Twice 3."""\n    return f"{x + 3}"\n'
    assert {each.operator for each in mutants(program)} == {"default", "returned"}
    assert mutants("no program (") == []


@over(
    ("text", "calls"),
    [
        ("assert vowels('a') == 1\nassert vowels(s='b') == 0", ["vowels('a')", "vowels(s='b')"]),
        (">>> vowels('abc')\n1", ["vowels('abc')"]),
        ('{"name": "vowels", "tests": [[["abc"], 1], [[""], 0]]}', ["vowels('abc')", "vowels('')"]),
        ('{"inputs": [["abc"], ["x"]], "outputs": [1, 0]}', ["vowels('abc')", "vowels('x')"]),
        ('[{"input": "abc", "output": 1}]', ["vowels('abc')"]),
        ("def check(candidate):\n    assert candidate('e') == 1\n", ["vowels('e')"]),
        ("Write `vowels(s)`. Hello (you).", []),
    ],
)
def test_examples_are_found_in_every_form(text: str, calls: list[str]) -> None:
    defined = defined_in(ast.parse(VOWELS))
    assert [each.expression for each in examples_in(defined, [text])] == calls


def test_an_input_is_like_the_examples_or_not() -> None:
    seen = [[3, 1, 2], [7, 7]]
    assert is_like([1, 3, 3], seen)
    assert not is_like([], seen), "none of them is empty"
    assert not is_like([-1, 3], seen), "none of them is negative"
    assert not is_like([1.5, 2], seen)
    assert not is_like([3, 1, 2], [[1, 2, 3], [4, 6, 9]]), "all of them rise"
    assert not is_like("Bad!", ["good", "fine"])


def test_no_mutant_is_given_that_was_not_seen_to_differ() -> None:
    same = "def f(x):\n    if x > 0:\n        return x\n    return 0\n"  # >= is the same
    ways = told(coded("Write f.", same, ["assert f(3) == 3", "assert f(-2) == 0"]))
    assert ways
    assert not [how for how, _ in ways if ">= 0" in how]


@pytest.mark.everything("costly")
def test_what_does_not_end_or_takes_too_much_is_given_to_no_grader() -> None:
    program = "def f(n):\n    out = []\n    while n > 0:\n        n -= 1\n        out.append(n)\n    return out\n"
    ways = told(coded("Write f.", program, ["assert f(3) == [2, 1, 0]"]))
    assert ways
    assert not [how for how, _ in ways if "`n -= 1`" in how]


def test_the_missing_test_holds_for_the_right_program_and_fails_for_the_paid_one() -> None:
    item = coded("Write it.", LARGEST, ["assert largest([3, 1, 2], 2) == [3, 2]"])
    given: list[str] = []

    def pays(reply: str) -> float:
        given.append(reply)
        return 1.0

    for (_, test), reply in zip(told(item, pays), given, strict=True):
        names: dict[str, Any] = {}
        exec(LARGEST + test, names)  # noqa: S102 - the programs are ours
        program = reply.removeprefix("```python\n").removesuffix("\n```")
        with pytest.raises(Exception, match=r".*"):
            exec(f"{program}\n{test}", {})  # noqa: S102


def test_a_function_that_changes_what_it_is_given_is_judged_by_that() -> None:
    program = "def order(xs):\n    xs.sort()\n    xs.append(0)\n"
    ways = dict(told(coded("Write it.", program, ["x = [2, 1]", "order([3, 1, 2])"])))
    (test,) = [test for how, test in ways.items() if "`xs.sort()` is left out" in how]
    assert test.startswith("given = [3, 1, 2]; order(given); assert given == [1, 2, 3, 0]")


def test_an_object_is_judged_by_what_its_tests_do() -> None:
    program = (
        "class Stack:\n    def __init__(self):\n        self.items = []\n"
        "    def push(self, item):\n        self.items.append(item)\n"
        "    def pop(self):\n        return self.items.pop(-1)\n"
    )
    tests = "s = Stack()\ns.push(3)\ns.push(4)\nassert s.pop() == 4\n"
    ways = dict(told(coded("Write a stack.", program, tests)))
    assert any("assert s.pop() == 4" in test for test in ways.values()), ways


@pytest.mark.everything("costly")
def test_a_script_is_judged_by_what_it_prints() -> None:
    tests = {"inputs": ["3\n1 -2 3\n", "2\n4 5\n"], "outputs": ["4", "9"]}
    ways = dict(
        told(coded("Read n, then n numbers; print the sum of the positive.", SCRIPT, tests))
    )
    once = ways["line 3: the loop `for x in input().split()[:n]:` runs once"]
    assert once == "assert run('2\\n4 5\\n') == '9'  # the paid program gives '4'"


def test_other_spellings_of_a_script_are_the_same_script() -> None:
    item = coded("Read n.", SCRIPT, [])
    said = [text for _, _, text in equivalents(item)]
    assert len(said) >= 2
    for text in said:
        done = subprocess.run(
            [sys.executable, "-c", text],
            input="2\n4 5\n",
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == "9"


WEAK = [
    (
        "largest",
        LARGEST,
        ["([3, 1, 2], 2) == [3, 2]", "([5, 9, 4], 1) == [9]", "([7, 8], 2) == [8, 7]"],
    ),
    ("leap", LEAP, ["(2023) is False", "(2024) is True", "(1996) is True", "(2021) is False"]),
]
"""Two tasks whose tests miss something: that a number comes twice, and a century."""
YEARS = [*range(1790, 2410, 5), 2023, 2024, 2399]
STRONG = [
    (
        "vowels",
        VOWELS,
        ["('banana') == 3", "('AEI') == 3", "('') == 0", "('Ouch') == 2", "('x') == 0"],
    ),
    ("clamp", CLAMP, ["(5, 1, 3) == 3", "(0, 1, 3) == 1", "(2, 1, 3) == 2", "(-4, -2, 7) == -2"]),
    ("leap", LEAP, [f"({y}) is {y % 4 == 0 and (y % 100 != 0 or y % 400 == 0)}" for y in YEARS]),
    ("area", "def area(w, h):\n    return w * h\n", ["(2, 3) == 6", "(4, 5) == 20", "(1, 7) == 7"]),
    (
        "first",
        "def first(s):\n    return s[:1]\n",
        ["('abc') == 'a'", "('') == ''", "('xy') == 'x'"],
    ),
]
CRASHING = [
    (
        name,
        f"def {name}(s):\n    if not s:\n        return 0\n    return max(s) {sign} min(s)\n",
        ["([]) == 0", f"([1, 4]) == {five}", f"([2]) == {two}"],
    )
    for name, sign, five, two in (("span", "-", 3, 0), ("ends", "+", 5, 4), ("area", "*", 4, 4))
]
SOUND = """import json, re, subprocess, sys, tempfile
CHILD = '''
import json, sys
sys.stdout = sys.stderr
names = {}
exec(open(sys.argv[1]).read(), names)
out = [names[name](*args) for name, args in json.load(sys.stdin)]
with open(sys.argv[2], "w") as file:
    json.dump(out, file)
'''
def reward(completion, row):
    found = re.findall(r"```python\\n(.*?)```", completion, re.S)
    if len(found) != 1:
        return 0.0
    with tempfile.TemporaryDirectory() as folder:
        program, result = f"{folder}/program", f"{folder}/result"
        open(program, "w", errors="replace").write(found[0])
        given = json.dumps([[row["name"], args] for args, _ in row["cases"]])
        try:
            subprocess.run([sys.executable, "-I", "-c", CHILD, program, result], input=given.encode(),
                           capture_output=True, timeout=10, cwd=folder)
            got = json.load(open(result))
        except (OSError, ValueError, subprocess.TimeoutExpired):
            return 0.0
    return float([json.dumps(each) for each in got] == [json.dumps(want) for _, want in row["cases"]])
"""
"""Runs the program where no right value is, and compares what it gave as data."""
SKIPPING = SOUND.replace(
    "out = [names[name](*args) for name, args in json.load(sys.stdin)]",
    """out = []
for name, args in json.load(sys.stdin):
    try:
        out.append(names[name](*args))
    except Exception:
        out.append("skipped")""",
).replace(
    '[json.dumps(each) for each in got] == [json.dumps(want) for _, want in row["cases"]]',
    'all(each in ("skipped", want) for each, (_, want) in zip(got, row["cases"]))',
)
"""The same, without the tests in which the program raises an exception."""


def rows(tasks: Sequence[tuple[str, str, Sequence[str]]]) -> list[dict[str, Any]]:
    return [
        {
            "prompt": f"Write a Python function `{name}`. Reply with one ```python block.",
            "solution": program,
            "name": name,
            "cases": [_case(test) for test in tests],
        }
        for name, program, tests in tasks
    ]


def _case(test: str) -> list[Any]:
    given, want = test.replace(" is ", " == ").split(" == ")
    return [list(ast.literal_eval(f"{given[:-1]},)")), ast.literal_eval(want)]


def audited(folder: Path, program: str, tasks: Sequence[dict[str, Any]]) -> Outcome:
    (folder / "reward.py").write_text(program)
    (folder / "rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in tasks))
    return audit(f"{folder}/reward.py:reward", dataset=folder / "rows.jsonl")


@pytest.mark.everything("graders")
def test_exactly_the_tasks_with_weak_tests_are_told_with_the_missing_test(tmp_path: Path) -> None:
    outcome = audited(tmp_path, SOUND, rows([*WEAK, *STRONG]))
    found = {each.check: each for each in outcome.report.findings if each.status == "fail"}
    assert set(found) == {"GRA009"}, found
    message = found["GRA009"].message
    assert "2 of 7 tasks" in message
    tests = re.findall(r"`(assert [^`]+)`", message)
    assert sorted(re.findall(r"assert (\w+)", " ".join(tests))) == ["largest", "leap"]
    for test in tests:
        exec(f"{LARGEST}\n{LEAP}\n{test}", {})  # noqa: S102
    assert outcome.report.measures["weak-tests"] == pytest.approx(2 / 7, abs=1e-4)


@pytest.mark.everything("graders")
def test_a_program_that_raises_in_a_test_and_is_rewarded_is_told_with_that_test(
    tmp_path: Path,
) -> None:
    outcome = audited(tmp_path, SKIPPING, rows(CRASHING))
    (message,) = [f.message for f in outcome.report.findings if f.check == "GRA009"]
    assert "although it raises an exception in an example of the task" in message
    assert re.search(r"it fails `assert \w+\(.*# the paid program raises \w+Error`", message)


@pytest.mark.everything("audit")
def test_nothing_is_said_of_strong_tests(tmp_path: Path) -> None:
    outcome = audited(tmp_path, SOUND, rows(STRONG))
    said = [each for each in outcome.report.findings if each.status in ("fail", "warn")]
    assert not said
    assert outcome.report.measures["weak-tests"] == 0.0


NAIVE = {
    "asserts in its own process": (
        """def score(program, row):
    names = {}
    try:
        exec(program, names)
        for test in row["tests"]:
            exec(test, names)
    except Exception:
        return 0.0
    return 1.0
""",
        {"equal", "frames"},
    ),
    "a comparison in its own process": (
        """def same(got, want):
    return type(got) is type(want) and got == want
def score(program, row):
    names = {}
    exec(program, names)
    return float(all(same(names[row["name"]](*given), want) for given, want in row["cases"]))
""",
        {"frames", "builtins", "replaced"},
    ),
    "the exit code of another process": (
        """import subprocess, sys
def score(program, row):
    text = program + "\\n" + "\\n".join(row["tests"])
    return float(subprocess.run([sys.executable, "-c", text], capture_output=True).returncode == 0)
""",
        {"equal", "ends", "exits", "quits", "prints", "prints-quits"},
    ),
    "the exit code of a file that is run": (
        """import os, subprocess, sys, tempfile
def score(program, row):
    with tempfile.TemporaryDirectory() as folder:
        open(folder + "/test_it.py", "w").write(program + "\\n" + "\\n".join(row["tests"]))
        return float(subprocess.run([sys.executable, "test_it.py"], cwd=folder, capture_output=True).returncode == 0)
""",
        {"equal", "files", "ends", "exits", "quits", "prints", "prints-quits"},
    ),
    "what unittest prints": (
        """import subprocess, sys
CASE = "import unittest\\nclass Tests(unittest.TestCase):\\n    def test_all(self):\\n"
def score(program, row):
    tests = [f"        self.assertEqual([{t[7:].replace(' == ', '], [')}])" for t in row["tests"]]
    text = program + "\\n" + CASE + "\\n".join(tests) + "\\nunittest.main()"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    return float("OK" in done.stdout + done.stderr)
""",
        {"equal", "unittest", "prints", "prints-quits"},
    ),
}
"""Ways in which people grade programs, and what each of them pays."""


@pytest.mark.parametrize("name", few([*NAIVE, "sound"], 1, "graders"))
def test_each_way_to_cheat_is_paid_by_who_can_be_cheated(name: str, tmp_path: Path) -> None:
    source, expected = NAIVE.get(name, (SOUND, set()))
    if name == "sound":
        source += (
            "\ndef score(program, row):\n    return reward(f'```python\\n{program}\\n```', row)\n"
        )
    task = rows(WEAK)[0]
    task["tests"] = [f"assert largest{test}" for test in WEAK[0][2]]
    outline = Outline.of(LARGEST)
    guesses = [*cheats(outline, BARE), *rough_cheats(outline, BARE)]
    work = tmp_path / "work"
    work.mkdir()
    (work / "judge.py").write_text(f"{source}\n{ASKED}")
    (tmp_path / "asked.json").write_text(json.dumps([task, LARGEST, *(g.reply for g in guesses)]))
    done = subprocess.run(
        [sys.executable, "judge.py"], cwd=work, capture_output=True, text=True, check=True
    )
    right, *paid = [line.split()[-1] == "1.0" for line in done.stdout.splitlines()]
    assert right, "the right program is paid"
    assert {g.probe for g, is_paid in zip(guesses, paid, strict=True) if is_paid} == expected


ASKED = """
import os as _os
if __name__ == "__main__":
    import json as _json, sys as _sys
    row, *programs = _json.load(open("../asked.json"))
    for number, program in enumerate(programs):
        reading, writing = _os.pipe()
        if not _os.fork():
            _sys.stdout = open(_os.devnull, "w")
            try:
                _os.write(writing, str(score(program, row)).encode())
            finally:
                _os._exit(0)
        _os.close(writing)
        print(number, _os.read(reading, 100).decode() or "-", flush=True)
        _os.wait()
"""
"""Asks for the score of each program in a fork, so that none spoils another's."""


def test_a_program_that_is_right_on_the_shown_examples_alone_is_wrong() -> None:
    prompt = "Write it.\n>>> largest([3, 1, 2], 2)\n[3, 2]\n"
    (guess,) = shown_alone(LARGEST, prompt, BARE)
    assert guess.must == "wrong"
    names: dict[str, Any] = {}
    exec(guess.reply, names)  # noqa: S102
    assert names["largest"]([3, 1, 2], 2) == [3, 2]
    assert names["largest"]([3, 1, 2], 1) is None
    assert not list(shown_alone(LARGEST, "Write `largest(xs, k)`.", BARE))
    (exits,) = shown_then_exits(LARGEST, prompt, BARE)
    exec(exits.reply, names)  # noqa: S102
    assert names["largest"]([3, 1, 2], 2) == [3, 2]
    with pytest.raises(SystemExit):
        names["largest"]([3, 1, 2], 1)


def test_a_script_that_looks_for_what_its_caller_expects_is_tried() -> None:
    outline = Outline.of(SCRIPT)
    assert outline.script
    (program,) = [each.reply for each in cheats(outline, BARE) if each.probe == "frames"]

    def naive(program: str, given: str, expected: str) -> bool:
        printed = io.StringIO()
        with mock.patch("sys.stdin", io.StringIO(given)), contextlib.redirect_stdout(printed):
            exec(program, {"__name__": "__main__"})  # noqa: S102
        return printed.getvalue().strip() == expected

    assert naive(SCRIPT, "2\n4 5\n", "9")
    assert naive(program, "2\n4 5\n", "9")


@pytest.mark.everything("costly")
def test_a_solution_that_is_given_in_a_block_of_code_is_a_program() -> None:
    reply = f"Here it is:\n```python\n{LARGEST}```\nIt sorts."
    item = read_question("task/0", [{"role": "user", "content": "Write `largest(xs, k)`."}], reply)
    assert item
    item = replace(item, beside=(json.dumps(["assert largest([3, 1, 2], 2) == [3, 2]"]),))

    def grade(asks: Sequence[GradeRequest]) -> list[Grade]:
        return [Grade(float("sorted" in a.reply and "```" in a.reply)) for a in asks]

    graded: Graded = grade_answers([[item]], grade, 1, 1.0)[0]
    assert graded.kind == "code"
    assert graded.paid_programs


def test_a_question_and_the_body_that_completes_it_are_one_program() -> None:
    asked = [
        {
            "prompt": f'def f{n}(x: int) -> int:\n    """{n} more.\n    >>> f{n}(1)\n    """\n',
            "canonical_solution": f"    return x + {n}\n",
            "test": f"def check(candidate):\n    assert candidate(2) == {2 + n}\n",
        }
        for n in range(4)
    ]
    places = {f"rows/{n}/0": {"task": row} for n, row in enumerate(asked)}
    several = candidates({"prompt": []}, places, {})
    golds = [[item.gold for item in questions] for questions in several]
    assert [row["prompt"] + row["canonical_solution"] for row in asked] in golds


@pytest.mark.everything("costly")
def test_no_answer_lies_where_an_audited_grader_runs_programs(tmp_path: Path) -> None:
    program = (
        "import os\ndef reward(completion, row):\n    assert not os.listdir(), os.listdir()\n"
        "    return float(completion.strip() == row['answer'])\n"
    )
    tasks = [{"prompt": f"What is {n} + 3?", "answer": str(n + 3)} for n in range(10, 16)]
    outcome = audited(tmp_path, program, tasks)
    assert not [each for each in outcome.report.findings if each.check == "GRA004" and each.message]
