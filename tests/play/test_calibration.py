"""Judges measured by labeled replies: models behind a real server, and stand-ins."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import skill_tools
from skill_tools.errors import SkillToolsError, SpecError
from skill_tools.evidence.grading.agreement import kappa
from skill_tools.policies.loopback import HttpAnswer, HttpRequest, Loopback
from tests.checks.roles import write_desk
from tests.command_line import skill_tools as command
from tests.over import over

KEY = "sk-calibrate-0123456789"
LABELS = ("rude", "neutral", "polite")
GOLD = {
    "Agent: What do you want now?": "rude",
    "Agent: Wait.": "rude",
    "Agent: That is your problem, and you should have read what you ordered before you did.": "rude",
    "Agent: No. I will not say it again, and I have other customers who can read.": "rude",
    "Agent: It is done.": "neutral",
    "Agent: Which order?": "neutral",
    "Agent: The order is open, and its address was changed to the one that you gave me.": "neutral",
    "Agent: The order was shipped on Monday, and the policy allows no change after that.": "neutral",
    "Agent: Gladly!": "polite",
    "Agent: Thank you, it is done.": "polite",
    "Agent: I am sorry for the trouble. Your order is cancelled, and I wish you a good day.": "polite",
    "Agent: Thank you for your patience! I have changed the address, as you asked me to.": "polite",
}
RANK = {text: LABELS.index(label) for text, label in GOLD.items()}
Judge = Callable[[str], str]


def rightly(reply: str) -> str:
    return GOLD.get(reply.split("\n\n")[0], "neutral")


def by_length(reply: str) -> str:
    return "polite" if len(reply) > 60 else "rude"


def failing(reply: str) -> str:
    if GOLD.get(reply) == "rude":
        raise ValueError(f"no such key: {KEY}")
    return rightly(reply)


@contextmanager
def judging(rate: Judge, *, first: bool = False) -> Iterator[str]:
    """The address of a model server that rates replies, and prefers the better one of two, or the ``first``."""

    def answer(request: HttpRequest) -> HttpAnswer:
        assert request.headers["authorization"] == f"Bearer {KEY}"
        body = json.loads(request.body)
        wanted = body["response_format"]["json_schema"]["schema"]["properties"]
        texts = re.findall(r"BEGIN \w+\n(.*?)\nEND \w+", body["messages"][1]["content"], re.DOTALL)
        try:
            if "better" in wanted:
                one, two = (RANK[text] for text in texts)
                said = {"better": "first" if first or one > two else "second"}
            else:
                said = {"polite": rate(texts[-1])}
        except ValueError as error:
            return HttpAnswer(json.dumps({"error": {"message": str(error)}}), 401)
        message = {"role": "assistant", "content": json.dumps({"reason": "-", **said})}
        reply = {
            "choices": [{"message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 200, "completion_tokens": 10},
        }
        return HttpAnswer(json.dumps(reply))

    server = Loopback(answer)
    try:
        yield f"{server.open()}/v1"
    finally:
        server.close()


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_desk(tmp_path_factory.mktemp("judges") / "desk")
    lines = (
        {"task": f"train/{n}", "reply": text, "labels": {"polite": label}}
        for n, (text, label) in enumerate(GOLD.items())
    )
    write_gold(folder / "gold.jsonl", *lines)
    return folder


def write_gold(path: Path, *lines: Any) -> Path:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    return path


def measured(
    desk: Path, monkeypatch: pytest.MonkeyPatch, rate: Judge, *, first: bool = False, **how: int
) -> skill_tools.Calibration:
    monkeypatch.setenv("SUPPORT_DESK_JUDGE_API_KEY", KEY)
    monkeypatch.setenv("SUPPORT_DESK_ROLES_PRICE", "1/10")
    with judging(rate, first=first) as url:
        return skill_tools.calibrate(
            desk, model="scripted", base_url=url, **{"repeats": 2, "limit": None} | how
        )


@pytest.mark.everything("costly")
def test_a_judge_that_agrees_may_decide(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = measured(desk, monkeypatch, rightly)
    assert (found.judge, found.replies, found.failures, found.uncompared) == (
        *("scripted", 12),
        *({}, {}),
    )
    assert found.overall.accuracy.value == found.overall.kappa.value == 1.0
    assert found.criteria["polite"].kappa.value == 1.0
    assert found.absolute_error.value == found.repeated.value == found.order_decides.value == 0.0
    assert found.consistent.value == 1.0
    assert found.prefers_first.value == 0.5
    assert (found.cost.requests, found.cost.input_tokens) == (1.0, 200.0)
    assert found.cost.dollars == pytest.approx((200 * 1 + 10 * 10) / 1e6)
    assert found.advice == [
        "Agreement is substantial: this judge may decide its share of the reward."
    ]


@pytest.mark.everything("checks")
def test_a_judge_that_is_too_kind_is_not_trained_on(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = measured(desk, monkeypatch, lambda reply: "polite")
    assert found.overall.kappa.value == pytest.approx(0.0)
    assert found.signed_error.value == 0.5
    assert found.advice == [
        "Kappa is below 0.4: do not train on this judge.",
        "The judge is too kind, by 0.50 on average.",
    ]


@pytest.mark.everything("checks")
def test_a_judge_that_prefers_long_replies_is_named(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = measured(desk, monkeypatch, by_length)
    assert found.length.value is not None
    assert found.length.value > 0.5
    assert found.repeated.value is not None
    assert found.repeated.value > 0.1
    assert any("policies learn to write long replies" in each for each in found.advice)


@pytest.mark.everything("checks")
def test_a_judge_that_prefers_the_first_place_is_named(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = measured(desk, monkeypatch, rightly, first=True)
    assert found.order_decides.n >= 4
    assert found.order_decides.value == found.prefers_first.value == 1.0
    assert found.advice[-1] == "The order decides comparisons: prefer rate() to compare()."


@pytest.mark.everything("checks")
def test_a_random_judge_contradicts_itself(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def randomly(reply: str) -> str:
        asked.append(reply)
        return random.choice(LABELS)

    found = measured(desk, monkeypatch, randomly, repeats=20, limit=2)
    assert len(asked) == 2 * (20 + 1), "a repetition came from the cache"
    assert found.consistent.value == 0.0
    assert any("contradicts itself" in each for each in found.advice)


@pytest.mark.everything("costly")
def test_a_judge_that_fails_gives_no_verdict_and_no_text_has_the_key(desk: Path) -> None:
    with judging(failing) as url:
        run = command(
            *("calibrate", desk, "--repeats", "1", "--json", "--model", "scripted"),
            *("--base-url", url),
            SUPPORT_DESK_ROLES_API_KEY=KEY,
        )
    assert run.returncode == 0, run.stderr
    assert KEY not in run.stdout + run.stderr
    found = json.loads(run.stdout)
    (cause,) = found["failures"]
    assert cause.startswith("the model judge: ServerFailed: 401")
    assert "no such key: [the key]" in cause
    assert (found["failures"][cause], found["overall"]["accuracy"]["n"]) == (4, 8)
    assert found["advice"][0].startswith("4 of 24 ratings gave no verdict")


@pytest.mark.everything("checks")
def test_a_stand_in_says_nothing_about_a_model(desk: Path) -> None:
    run = command("calibrate", desk, "--limit", "4")
    assert run.returncode == 0, run.stderr
    assert "judge (stand-in) on 4 labeled replies" in run.stdout
    assert run.stdout.splitlines()[-1].startswith(
        "The author's stand-in judged: these figures say nothing about a model."
    )


WRONG: dict[str, tuple[Any, str]] = {
    "no object": ([1], "gold.jsonl:2: the line is not a JSON object"),
    "a field": ({"reply": "a", "task": "train/0", "scor": 1}, "did you mean 'score'?"),
    "no task": ({"reply": "a", "score": 1}, "gold.jsonl:2: task: Field required"),
    "a task": ({"reply": "a", "task": "train/99", "score": 1}, "there is no task 'train/99'"),
    "a score": ({"reply": "a", "task": "train/0", "score": 5}, "score: Input should be less than"),
    "neither": ({"reply": "a", "task": "train/0"}, "neither score nor labels"),
    "a label": (
        {"reply": "a", "task": "train/0", "labels": {"polite": "kind"}},
        "write one of: rude, neutral, polite",
    ),
    "a criterion": (
        {"reply": "a", "task": "train/0", "labels": {"polit": "rude"}},
        "the rubric has no criterion 'polit'; did you mean 'polite'?",
    ),
}


@pytest.mark.everything("costly")
@over("name", WRONG)
def test_a_wrong_line_is_named_before_any_request(name: str, desk: Path, tmp_path: Path) -> None:
    line, expected = WRONG[name]
    right = {"task": "train/0", "reply": "Agent: Hello.", "score": 0.5}
    gold = write_gold(tmp_path / "gold.jsonl", right, line)
    with pytest.raises(SpecError) as caught:
        skill_tools.calibrate(desk, gold, model="none", base_url="http://127.0.0.1:9/v1")
    assert expected in str(caught.value)
    assert [problem.where for problem in caught.value.problems] == [f"{gold}:2"]


ARGUMENTS: dict[str, tuple[dict[str, Any], str]] = {
    "a file": ({"gold": "none.jsonl"}, "none.jsonl does not exist"),
    "a role": ({"role": "customer"}, "there is no judge 'customer'"),
    "an address": ({"base_url": "http://127.0.0.1:9/v1"}, "--base-url needs --model"),
}


@pytest.mark.everything("checks")
@over("name", ARGUMENTS)
def test_a_wrong_argument_is_named(name: str, desk: Path) -> None:
    given, expected = ARGUMENTS[name]
    with pytest.raises(SkillToolsError, match=expected):
        skill_tools.calibrate(desk, **given)


@pytest.mark.everything("checks")
def test_a_wrong_price_is_named(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUPPORT_DESK_ROLES_PRICE", "3")
    with pytest.raises(SkillToolsError, match="SUPPORT_DESK_ROLES_PRICE is '3'"):
        skill_tools.calibrate(desk)


@pytest.mark.everything("checks")
def test_a_judge_without_a_rubric_needs_an_episode_of_one_message(tmp_path: Path) -> None:
    folder = write_desk(tmp_path / "desk")
    text = (folder / "env.yaml").read_text("utf-8")
    text = re.sub(r"    rubric:\n      criteria:\n.*\n", "", text)
    (folder / "env.yaml").write_text(text, "utf-8")
    with pytest.raises(SkillToolsError, match="has no rubric, and an episode"):
        skill_tools.calibrate(folder)


NOTE = {
    "env.yaml": """
name: note
title: Note
description: The agent writes a note.
archetype: single-turn
domain: rules:Note
tasks: tasks:TASKS
oracle: oracle:solve
prompt: {system: Write a note., user: "{observation}"}
message: {description: The note.}
models: {judge: {purpose: judge%s}}
reward: {range: [-1.0, 1.0], timing: terminal, soft: {judge: {share: 1, reason: It is a matter of style.}}}
episode: {max_turns: 1}
seed: {used: false, reason: There is one task.}
""",
    "rules.py": """
class InvalidAction(Exception):
    pass

class Note:
    def __init__(self, task, seed, models):
        self.models, self.reward, self.done = models, 0.0, False

    def observe(self):
        return "Thank the host."

    def message(self, text):
        self.reward, self.done = 2 * float(self.models.judge.ask(f"Rate from 0 to 1: {text}")) - 1, True
        return "read"
""",
    "tasks.py": """
POINTS = {"thanks": "It thanks the host.", "short": "It is short."}
TASKS = {"train": [{"id": "host", "points": POINTS}]}
""",
    "oracle.py": """
def solve(task, seed):
    return [{"message": "Thank you!"}]

def judge(task, messages, data):
    if "labels" in data:
        return {"reason": "-", "thanks": "yes" if "Thank" in data["reply"] else "no", "short": "yes"}
    return "1.0" if "Thank" in messages[-1]["content"] else "0.25"
""",
}


def write_note(folder: Path, rubric: str, *gold: Any) -> Path:
    folder.mkdir()
    for name, text in NOTE.items():
        (folder / name).write_text(text.replace("%s", rubric).lstrip(), "utf-8")
    write_gold(folder / "gold.jsonl", *({"task": "train/0", **each} for each in gold))
    return folder


@pytest.mark.everything("checks")
def test_without_a_rubric_the_return_of_one_message_is_the_score(tmp_path: Path) -> None:
    gold = ({"reply": "Thank you!", "score": 1}, {"reply": "Bye.", "score": 0})
    found = skill_tools.calibrate(write_note(tmp_path / "note", "", *gold))
    assert (found.rates, found.overall.accuracy.value, found.cost.requests) == (False, 1.0, 1.0)
    assert found.absolute_error.value == 0.125
    assert (found.order_decides.n, found.criteria) == (0, {})


@pytest.mark.everything("checks")
def test_the_criteria_of_a_task_are_those_of_its_replies(tmp_path: Path) -> None:
    gold = (
        {"reply": "Thank you!", "labels": {"thanks": "yes", "short": "yes"}},
        {"reply": "Bye.", "labels": {"thanks": "no", "short": "no"}},
    )
    rubric = ", rubric: {criteria: points}"
    found = skill_tools.calibrate(write_note(tmp_path / "note", rubric, *gold))
    assert {name: each.accuracy.value for name, each in found.criteria.items()} == {
        "thanks": 1.0,
        "short": 0.5,
    }
    for labels, expected in (
        ({"a": "yes", "short": "no"}, "no criterion 'a'; there are: thanks, short"),
        ({"thanks": "yes"}, "no label for short"),
    ):
        line = {"task": "train/0", "reply": "Bye.", "labels": labels}
        write_gold(tmp_path / "note/gold.jsonl", line)
        with pytest.raises(SpecError, match=expected):
            skill_tools.calibrate(tmp_path / "note")


@pytest.mark.everything("checks")
def test_kappa_is_that_of_scikit_learn() -> None:
    # cohen_kappa_score(…, weights="quadratic") of scikit-learn 1.9.
    ours, gold = [0, 1, 2, 2, 1, 3, 2, 1, 1, 0, 3, 2], [0, 1, 2, 1, 1, 0, 2, 2, 0, 0, 3, 1]
    assert kappa(list(zip(ours, gold, strict=True))) == pytest.approx(0.4583333)
    assert kappa([(0, 1), (1, 1)]) is None
    ours, gold = [0, 1, 1, 1, 0, 1], [0, 1, 0, 1, 0, 0]
    assert kappa(list(zip(ours, gold, strict=True))) == pytest.approx(0.4)
