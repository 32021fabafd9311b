"""DAT: each defect of a data set is found, and its sound twin, or an odd sound one, is not."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from skill_tools import checks
from skill_tools.checks import Finding
from skill_tools.evidence.declaration import Declaration
from skill_tools.evidence.evidence import AuditRun, Evidence
from skill_tools.graders.datasets.survey import survey_rows
from tests.over import over

Row = dict[str, Any]
Splits = dict[str, list[Row]]
NAMES = ("Tom", "Ann", "Lea", "Max", "Kim", "Ben", "Sue", "Jan")
OTHERS = dict(
    zip(NAMES, ("Otto", "Ida", "Paul", "Rosa", "Nils", "Ella", "Hugo", "Mia"), strict=True)
)
STORIES = (
    "{a} has {x} pens and buys {y} more at the market. {a} then gives {z} to {b}. How many pens does {a} have now?",
    (
        "A shop sells {x} cups on Monday and {y} on Tuesday. {a} counts them with {b}, and finds {z} broken ones. "
        "How many are whole?"
    ),
    "{a} reads {x} pages a day for {y} days, while {b} sleeps. Then {z} pages are left. How long is the book?",
)


def stories(count: int, seed: int = 0) -> list[Row]:
    """Word problems of three templates, as GSM8K has them."""
    rng, found = random.Random(seed), []
    for at in range(count):
        x, y, z = rng.randint(11, 99), rng.randint(11, 99), rng.randint(2, 9)
        a, b = rng.sample(NAMES, 2)
        answer = x * y + z if at % 3 == 2 else x + y - z
        found.append(
            {"question": STORIES[at % 3].format(a=a, b=b, x=x, y=y, z=z), "answer": str(answer)}
        )
    return found


def with_other_names(row: Row) -> Row:
    asked = re.sub(r"[A-Z][a-z]+", lambda found: OTHERS.get(found[0], found[0]), row["question"])
    return {**row, "question": asked}


def changed(rows: list[Row], at: int, **changes: Any) -> list[Row]:
    return [{**row, **changes} if number == at else row for number, row in enumerate(rows)]


def found(splits: Splits, **options: Any) -> list[Finding]:
    """What the checks say of some rows, but for what they passed."""
    evidence = Evidence(
        Declaration(name="rows"), audit=AuditRun(rows=survey_rows(splits, **options))
    )
    return [each for each in checks.run(evidence) if each.status not in ("pass", "skip")]


def reported(splits: Splits, **options: Any) -> set[tuple[str, str]]:
    """The checks that fail or warn, and which of both."""
    return {(f.check, f.status) for f in found(splits, **options) if f.status in ("fail", "warn")}


TRAIN = stories(60)
TEST = stories(15, seed=2)
SHOUTED = [{**row, "question": row["question"].upper().replace(" ", "  ")} for row in TRAIN[:15]]
WIDE = [{**r, "question": "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in r["question"])} for r in TRAIN[:15]]  # fmt: skip  # noqa: E501
REWORDED = [{**row, "question": row["question"].replace("How", "So how").replace("then", "later")} for row in TRAIN[:15]]  # fmt: skip  # noqa: E501
DEFECTS: dict[str, tuple[Splits, set[tuple[str, str]]]] = {
    "test-is-train": ({"train": TRAIN, "test": TRAIN[:15]}, {("DAT001", "fail")}),
    "but-for-capitals-and-blanks": ({"train": TRAIN, "test": SHOUTED}, {("DAT001", "fail")}),
    "but-for-the-form-of-characters": ({"train": TRAIN, "test": WIDE}, {("DAT001", "fail")}),
    "but-for-names": (
        {"train": TRAIN, "test": [with_other_names(row) for row in TRAIN[:15]]},
        {("DAT001", "fail")},
    ),
    "some-but-for-names": (
        {"train": TRAIN, "test": [*TEST, *(with_other_names(row) for row in TRAIN[:5])]},
        {("DAT001", "warn")},
    ),
    "labels-of-a-near-copy-are-few": (
        {"train": [{**row, "answer": "yes" if n % 2 else "no"} for n, row in enumerate(TRAIN)],
         "test": [{**row, "answer": "yes" if n % 2 else "no"} for n, row in enumerate(REWORDED)]},
        {("DAT001", "fail")},
    ),
    "reworded": ({"train": TRAIN, "test": REWORDED}, {("DAT001", "fail")}),
    "test-comes-first": ({"test": SHOUTED, "train": TRAIN}, {("DAT001", "fail")}),
    "one-row-twice": ({"train": [*TRAIN, TRAIN[7]]}, {("DAT002", "warn")}),
    "one-row-twice-in-capitals": ({"train": [*TRAIN, SHOUTED[7]]}, {("DAT002", "warn")}),
    "one-row-nearly-twice": ({"train": [*TRAIN, REWORDED[7]]}, {("DAT002", "warn")}),
    "two-answers": ({"train": [*TRAIN, {**TRAIN[4], "answer": "1"}]}, {("DAT003", "fail")}),
    "two-answers-in-small-letters": (
        {"train": [*TRAIN, {"question": TRAIN[4]["question"].lower(), "answer": "1"}]},
        {("DAT003", "fail")},
    ),
    "two-answers-in-worked-solutions": (
        {"train": [
            {"question": row["question"], "answer": f"We add and take away. #### {row['answer']}"}
            for row in [*TRAIN, {**TRAIN[4], "answer": "1"}]
        ]},
        {("DAT003", "fail")},
    ),
    "no-question": ({"train": changed(TRAIN, 3, question="  ")}, {("DAT006", "fail")}),
    "no-answer": ({"train": changed(TRAIN, 3, answer=None)}, {("DAT006", "warn")}),
    "one-answer": ({"train": [{**row, "answer": "42"} for row in TRAIN]}, {("DAT007", "fail")}),
    "mostly-one-answer": (
        {"train": [{**row, "answer": "B" if n % 5 else "ACD"[n % 3]} for n, row in enumerate(TRAIN)]},
        {("DAT007", "warn")},
    ),
}  # fmt: skip


@over("name", DEFECTS)
def test_a_defect_is_found_by_the_check_meant_for_it_alone(name: str) -> None:
    splits, expected = DEFECTS[name]
    assert reported(splits) == expected


def numbers_of(rng: random.Random) -> Row:
    x, y = rng.randint(100, 999), rng.randint(100, 999)
    return {"question": f"What is {x} + {y}?", "answer": x + y}


def choices(count: int, seed: int) -> list[Row]:
    rng, found = random.Random(seed), []
    for _ in range(count):
        several = rng.sample(
            ["iron", "gold", "lead", "zinc", "tin", "silver", "copper", "nickel"], 4
        )
        symbol = rng.randint(1, 10**6)
        found.append({
            "question": f"Which of these metals is in sample number {symbol}?",
            "choices": several, "answer": rng.choice("ABCD"),
        })  # fmt: skip
    return found


def pictures(count: int, first: int) -> list[Row]:
    asked = ("What is in the picture?", "What colour is the ball?", "How many dogs are there?")
    return [
        {"image": f"{n:05}.png", "question": asked[n % 3], "answer": ["cat", "red", "2", "dog", "blue", "4"][n % 6]}
        for n in range(first, first + count)
    ]  # fmt: skip


def passages(count: int, first: int) -> list[Row]:
    rng = random.Random(first)
    facts = ("is the sky blue", "do fish swim", "can pigs fly", "is it true", "does iron float")
    words = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=6)) for _ in range(2000)]
    return [
        {"passage": " ".join(rng.choices(words, k=40)), "question": rng.choice(facts), "answer": rng.random() < 0.6}
        for _ in range(count)
    ]  # fmt: skip


ARITHMETIC = random.Random(5)
EUROPE = {
    "France": "Paris", "Spain": "Madrid", "Italy": "Rome", "Norway": "Oslo", "Poland": "Warsaw",
    "Greece": "Athens", "Austria": "Vienna", "Ireland": "Dublin", "Finland": "Helsinki", "Latvia": "Riga",
}  # fmt: skip
TOWNS = {
    "Lyon": "France",
    "Nice": "France",
    "Lille": "France",
    "Turin": "Italy",
    "Milan": "Italy",
    "Genoa": "Italy",
}
LANGUAGES = (
    ("Wie viele Tage hat ein Jahr, das durch {n} teilbar ist?", "{n} Tage"),
    ("Сколько дней в году, который делится на {n} без остатка?", "{n} дней"),
    ("{n}で割り切れる年は何日ありますか。教えてください。", "{n}日"),
    ("{n} से विभाजित होने वाले वर्ष में कितने दिन होते हैं?", "{n} दिन"),
    ("كم عدد أيام السنة التي تقبل القسمة على {n} بدون باقي؟", "{n} يوم"),
    ("How many days has a year that is divisible by {n}, please?", "{n} days"),
)
GRIDS = [" ".join(random.Random(n).choices("XO.", k=9)) for n in range(80)]
CODE = "Write a function {name} in Python that takes a list of numbers and returns the {what} of them as a float."
SOUND: dict[str, Splits] = {
    "word-problems": {"train": TRAIN, "test": TEST},
    "arithmetic": {
        "train": [{**numbers_of(ARITHMETIC)} for _ in range(80)],
        "test": [{**numbers_of(ARITHMETIC)} for _ in range(20)],
    },
    "signs-and-brackets-matter": {
        "train": [
            {"question": "(8 + 4) * 2 = ?", "answer": 24}, {"question": "8 + (4 * 2) = ?", "answer": 16},
            {"question": "8 - 4 = ?", "answer": 4}, {"question": "8 + 4 = ?", "answer": 12},
            {"question": "8 * 4 = ?", "answer": 32}, {"question": "8.4 = ?", "answer": "84/10"},
            {"question": "2² = ?", "answer": 4}, {"question": "22 = ?", "answer": 22},
            {"question": "-8 + 4 = ?", "answer": -4}, {"question": "8 / 4 = ?", "answer": 2},
        ]
    },
    "capitals": {
        "train": [{"question": f"What is the capital of {c}?", "answer": t} for c, t in list(EUROPE.items())[:7]],
        "test": [{"question": f"What is the capital of {c}?", "answer": t} for c, t in list(EUROPE.items())[7:]],
    },
    "towns-of-few-countries": {
        "train": [{"question": "In which country of Europe is the old "
                               f"and famous town of {t}?", "answer": c} for t, c in TOWNS.items()],
        "test": [{"question": "In which country of Europe is the old "
                              f"and famous town of {t}?", "answer": "France"} for t in ("Nantes", "Rennes")],
    },
    "choices-with-options": {"train": choices(60, 0), "test": choices(20, 1)},
    "questions-about-pictures": {"train": pictures(60, 0), "test": pictures(18, 60)},
    "yes-and-no-about-passages": {"train": passages(60, 0), "test": passages(20, 1)},
    "short-yes-and-no": {
        "train": [{"question": f"Is {n} prime?", "answer": "yes" if all(n % d for d in range(2, n)) else "no"} for n in range(2, 60)],  # noqa: E501
        "test": [{"question": f"Is {n} prime?", "answer": "yes" if all(n % d for d in range(2, n)) else "no"} for n in range(60, 90)],  # noqa: E501
    },
    "several-languages": {
        "train": [{"prompt": q.format(n=n), "answer": a.format(n=n)} for n in range(100, 120) for q, a in LANGUAGES],
        "test": [{"prompt": q.format(n=n), "answer": a.format(n=n)} for n in range(120, 126) for q, a in LANGUAGES],
    },
    "lists-in-another-order": {
        "train": [
            {"question": f"Which two numbers have the sum {n} and "
                         f"differ by {n - 2}?", "answer": [1, n - 1] if n % 2 else [n - 1, 1]}
            for n in range(10, 40)
        ],
    },
    "a-row-for-each-right-answer": {
        "train": [
            {"question": f"Name a prime number below {n}.", "answer": str(p)}
            for n in (10, 12, 14, 18, 20) for p in (2, 3, 5, 7)
        ],
    },
    "several-solutions-of-one-prompt": {
        "train": [
            {"prompt": [{"role": "user", "content": "Write a poem about the sea."}],
             "response": f"The sea is wide, number {n}, and its waves come home each evening to tell us what "
                         "they saw out there."}
            for n in range(12)
        ],
    },
    "case-matters": {
        "train": [
            *({"question": f"Is the letter {c!r} a capital letter?", "answer": "yes"} for c in "ABCDEFGH"),
            *({"question": f"Is the letter {c!r} a capital letter?", "answer": "no"} for c in "abcdefgh"),
        ],
    },
    "punctuation-matters": {
        "train": [{"question": f"What is this sign called: {s}", "answer": a} for s, a in
                  ((",", "comma"), (";", "semicolon"), ("!", "exclamation mark"), ("?", "question mark"), ("😀", "smile"), ("😡", "anger"))],  # noqa: E501
    },
    "boards": {
        "train": [{"board": g, "question": "Whose move is it?", "answer": "XO"[g.count("X") > g.count("O")]} for g in dict.fromkeys(GRIDS[:60])],  # noqa: E501
        "test": [{"board": g, "question": "Whose move is it?", "answer": "XO"[g.count("X") > g.count("O")]} for g in dict.fromkeys(GRIDS[60:])],  # noqa: E501
    },
    "verl": {
        split: [
            {"data_source": "gsm8k", "prompt": [{"role": "system", "content": "Think first."}, {"role": "user", "content": row["question"]}],  # noqa: E501
             "reward_model": {"style": "rule", "ground_truth": row["answer"]}, "extra_info": {"index": n, "split": split}}  # noqa: E501
            for n, row in enumerate(rows)
        ]
        for split, rows in (("train", TRAIN), ("test", TEST))
    },
    "code": {
        split: [{"prompt": CODE.format(name=f"f_{what.replace(' ', '_')}", what=what), "tests": [f"assert f([1]) # {n}"]} for n, what in enumerate(several)]  # noqa: E501
        for split, several in (
            ("train", ("mean", "median", "mode", "range", "variance", "geometric mean", "harmonic mean", "smallest difference")),  # noqa: E501
            ("test", ("largest difference", "sum of squares", "second largest one", "interquartile range")),
        )
    },
    "hidden-labels-in-test": {"train": TRAIN, "test": [{**row, "answer": None} for row in TEST]},
    "unanswerable": {
        "train": [{"context": f"Fact {n}: the {n}th door is "
                              f"{'red' if n % 2 else 'not painted yet'}.", "question": f"Which colour has door {n}?", "answers": ["red"] if n % 2 else []} for n in range(30)],  # noqa: E501
    },
    "conversations": {
        "train": [{"messages": [{"role": "user", "content": row["question"]}, {"role": "assistant", "content": f"It is {row['answer']}."}]} for row in TRAIN],  # noqa: E501
    },
    "three-in-ten-are-rare": {
        "train": [{"text": f"Message {n}: win {n * 37} coins "
                           f"at place {n}", "label": int(n % 5 == 0)} for n in range(80)],
    },
}  # fmt: skip


@over("name", SOUND)
def test_what_is_sound_and_odd_is_left_in_peace(name: str) -> None:
    told = [f"{f.status} {f.check}: {f.message}" for f in found(SOUND[name])]
    assert not [each for each in told if not each.startswith("note")]


def test_a_template_of_few_numbers_is_no_copied_split_and_only_warns() -> None:
    def sums(count: int, seed: int, names: tuple[str, ...]) -> list[Row]:
        rng, pairs = random.Random(seed), [(x, y) for x in range(2, 9) for y in range(2, 9)]
        asked = (
            "{} has {} pens and buys {} more at the big market. How many pens are there in all now?"
        )
        return [
            {"question": asked.format(rng.choice(names), x, y), "answer": x + y}
            for x, y in rng.choices(pairs, k=count)
        ]

    splits = {"train": sums(40, 1, NAMES), "test": sums(12, 2, tuple(OTHERS.values()))}
    assert ("DAT001", "warn") in reported(splits)
    assert ("DAT001", "fail") not in reported(splits)


def test_a_finding_counts_and_shows_the_shortest_example_with_both_sides() -> None:
    (one,) = found({"train": TRAIN, "test": SHOUTED})
    shortest = min(SHOUTED, key=lambda row: len(row["question"]))
    at = SHOUTED.index(shortest)
    assert one.message.startswith(
        "15 of 15 rows of test are in train, as the same question except for"
    )
    assert f"test/{at} {' '.join(shortest['question'].split())!r}" in one.message
    assert f"train/{at} {TRAIN[at]['question']!r}" in one.message
    assert one.place.task == f"test/{at}"


def test_a_conflict_shows_both_answers_and_no_copy_is_told_of_it() -> None:
    (one,) = found({"train": [*TRAIN, {**TRAIN[4], "answer": "1"}]})
    assert one.check == "DAT003"
    assert "→ '1'" in one.message
    assert f"train/4 → {TRAIN[4]['answer']!r}" in one.message


def test_answers_that_mean_the_same_are_no_conflict() -> None:
    pairs = (
        ("3,496", "3496.0"), ("1/2", 0.5), ("Paris", "paris."), ("the Nile", "Nile"), ([1, 2], [2, 1]),
        ("$5", 5), ("red, blue", "blue; red"), ('{"a": 1, "b": 2}', {"b": 2, "a": 1}),
        ("so it is #### 12", "12"), ("thus \\boxed{7}", 7), ("\u22123", -3),
    )  # fmt: skip
    for one, other in pairs:
        rows = [*TRAIN, {"question": "What is asked?", "answer": one}]
        splits = {"train": [*rows, {"question": "What is asked?", "answer": other}]}
        assert ("DAT003", "fail") not in reported(splits), (one, other)


@pytest.fixture
def solver(tmp_path: Path) -> str:
    path = tmp_path / "solver.py"
    path.write_text(
        "import re\n\n\ndef solve(row):\n"
        "    x, y, z = map(int, re.findall(r'\\d+', row['question']))\n"
        "    return float(x * y + z if 'pages' in row['question'] else x + y - z)\n"
    )
    return f"{path}:solve"


def test_labels_that_a_solver_does_not_give_fail(solver: str) -> None:
    wrong = TRAIN[:40]
    for at in (3, 9, 20, 33):
        wrong = changed(wrong, at, answer=str(int(wrong[at]["answer"]) + 1))
    (one,) = found({"train": wrong}, solver=solver)
    assert (one.check, one.status) == ("DAT004", "fail")
    assert one.message.startswith(
        "4 of 40 rows of train have an answer that the solver does not give"
    )
    assert not found({"train": TRAIN[:40]}, solver=solver)


def test_rows_that_are_in_a_file_to_keep_apart_from_fail(tmp_path: Path) -> None:
    own = {"train": TRAIN}
    benchmark = tmp_path / "benchmark.jsonl"
    benchmark.write_text(
        "\n".join(json.dumps({"q": f"Solve: {r['question'].upper()}"}) for r in TRAIN[:5])
    )
    (one,) = found(own, against=[benchmark])
    assert (one.check, one.status) == ("DAT005", "fail")
    assert one.message.startswith(
        "5 of 60 rows of train share 13 or more consecutive words with benchmark.jsonl"
    )
    benchmark.write_text("\n".join(map(json.dumps, TEST)))
    assert not found(own, against=[benchmark])


def test_of_one_split_and_without_answers_it_is_said_what_was_not_looked_at() -> None:
    evidence = Evidence(
        Declaration(name="rows"),
        audit=AuditRun(rows=survey_rows({"train": [{"prompt": "a b c"}, {"prompt": "d"}]})),
    )
    skipped = {each.check: each.message for each in checks.run(evidence) if each.status == "skip"}
    assert skipped == {
        "DAT001": "there is only one split",
        "DAT004": "no solver was named (--solver path.py:function)",
        "DAT005": "no file to compare with was named (--against FILE)",
        "DAT007": "there are no short answers to count",
    }


def test_what_is_unusual_is_noted() -> None:
    rows = [*TRAIN, {"question": "Сколько дней в году, который делится на сто?", "answer": "365"}]
    (script,) = found({"train": rows})
    assert (script.check, script.status) == ("DAT008", "note")
    assert (
        "1 of 61 rows of train have a question mostly in another script (CYRILLIC" in script.message
    )
    (long,) = found({"train": changed(TRAIN, 2, question="word " * 3000)})
    assert (long.check, long.status) == ("DAT008", "note")
    within = [{"question": f"The word is {w}. Which is it?", "answer": w} for w in EUROPE]
    (given,) = found({"train": within})
    assert (
        "10 of 10 rows of train have an answer that is contained in its question" in given.message
    )
