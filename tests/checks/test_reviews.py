"""Reviews: a reader's claims are played, and only what the experiments show is a finding."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

import skill_tools
from skill_tools import archetypes
from skill_tools.audit.options import AuditOptions
from skill_tools.errors import SkillToolsError, SpecError
from skill_tools.evidence.grading.reviewed import Review
from skill_tools.files import ANSWERS_FILE, CLAIMS_FILE, write_files
from skill_tools.pipeline.reviews.review import QUESTIONS_FILE, Reviewed, review_with
from skill_tools.policies.scripted import Turn
from skill_tools.policies.server import PolicyEndpoint
from skill_tools.spec.readers.claims import read_claims
from tests.command_line import skill_tools as command
from tests.conftest import write_counter
from tests.over import over

ROWS = [
    {"prompt": f"What is {a} + {b}? End with the answer.", "answer": str(a + b)}
    for a, b in ((3, 4), (5, 0), (10, 10), (3, 4))
]
ROWS[3]["answer"] = "8"
REWARD = """
import os, threading

SEEN, SPOILT = set(), []

def reward(completions, answer, **kwargs):
    paid = []
    for text, label in zip(completions, answer):
        if text == "hang":
            while True:
                pass
        if text == "die":
            os._exit(3)
        if text == "raise" or len(text) > 4000:
            raise ValueError("no such thing")
        if text == "once":
            paid.append(float(text not in SEEN))
            SEEN.add(text)
            continue
        if text == "thread":
            paid.append(float(threading.current_thread() is threading.main_thread()))
            continue
        if text == "batch":
            paid.append(1.0 / len(completions))
            continue
        if text == "spoil":
            SPOILT.append(text)
        if text == "spoilt":
            paid.append(float(not SPOILT))
            continue
        digits = [word for word in text.replace(".", " ").split() if word.isdigit()]
        paid.append(0.3 if text == "partly" else float(bool(digits) and digits[0] == label))
    return paid
"""
PART = "checks"


def write_reward(folder: Path) -> str:
    (folder / "reward.py").write_text(REWARD)
    (folder / "rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in ROWS))
    return f"{folder / 'reward.py'}:reward"


def write_yaml(path: Path, data: Any) -> None:
    with path.open("w") as file:
        YAML(typ="safe", pure=True).dump(data, file)


def played(
    folder: Path, *experiments: dict[str, Any], answers: dict[str, str] | None = None
) -> Reviewed:
    """The review of one claim per experiment; a second reader gives the answers by the place of the claim."""
    claims = [
        {"cause": f"The cause of claim {number}.", "experiment": each}
        for number, each in enumerate(experiments, 1)
    ]
    write_yaml(folder / CLAIMS_FILE, {"claims": claims})
    target = write_reward(folder)
    options = AuditOptions(dataset=folder / "rows.jsonl", call_seconds=3)
    found = skill_tools.review(target, folder / CLAIMS_FILE, options)
    if answers is None:
        return found
    ids = [claim.trials[0].id for claim in found.review.claims]
    common = answers.pop("common", "often")
    given = [
        {"question": ids[int(number) - 1], "answer": word, "common": common}
        for number, word in answers.items()
    ]
    write_yaml(folder / ANSWERS_FILE, {"reader": "another", "answers": given})
    return skill_tools.review(target, folder / CLAIMS_FILE, options)


def outcomes(review: Review) -> list[str]:
    return [each.trials[0].outcome for each in review.claims]


@pytest.mark.everything(PART)
def test_a_number_of_thousands_of_digits_that_has_no_score_is_a_question(tmp_path: Path) -> None:
    long, short = ({"must": "earn-nothing", "task": 0, "reply": r} for r in ("9" * 5000, "raise"))
    review = played(tmp_path, long, short).review
    assert [each.verdict for each in review.claims] == ["doubtful", "confirmed"]
    answered = played(tmp_path, long, answers={"1": "nothing", "common": "rarely"})
    assert [each.verdict for each in answered.review.claims] == ["doubtful"]


@pytest.mark.everything(PART)
def test_each_experiment_shows_what_it_is_about(tmp_path: Path) -> None:
    beside = [{"task": 1, "reply": "5"}]
    shown: list[tuple[str, dict[str, Any]]] = [
        ("violated", {"must": "earn-top", "task": 0, "reply": "3 and 4 are 7"}),
        ("holds", {"must": "earn-top", "task": "rows/0", "reply": "7"}),
        ("violated", {"must": "earn-nothing", "task": 0, "reply": "7 is wrong, so 9"}),
        ("partly", {"must": "earn-nothing", "task": 0, "reply": "partly"}),
        ("violated", {"must": "earn", "reward": 0.5, "task": 0, "reply": "partly"}),
        ("holds", {"must": "earn-same", "task": 0, "reply": "7", "as": {"reply": "7."}}),
        (
            "violated",
            {"must": "earn-more", "task": 0, "reply": "7", "as": {"task": 1, "reply": "5"}},
        ),
        (
            "violated",
            {"must": "not-depend", "circumstance": "repetition", "task": 0, "reply": "once"},
        ),
        (
            "violated",
            {"must": "not-depend", "circumstance": "thread", "task": 0, "reply": "thread"},
        ),
        (
            "violated",
            {
                "must": "not-depend",
                "circumstance": "batch",
                "task": 0,
                "reply": "batch",
                "others": beside,
            },
        ),
        (
            "violated",
            {"must": "not-depend", "circumstance": "order", "task": 0, "reply": "spoilt"}
            | {"others": [{"task": 0, "reply": "spoil"}]},
        ),
        (
            "holds",
            {
                "must": "not-depend",
                "circumstance": "order",
                "task": 0,
                "reply": "7",
                "others": beside,
            },
        ),
        ("violated", {"must": "agree", "rows": [0, 3], "same": ["prompt"], "differ": "answer"}),
        ("holds", {"must": "agree", "rows": [0, 1], "same": ["prompt"], "differ": "answer"}),
        ("not run", {"must": "agree", "rows": [0, 1], "differ": "label"}),
        ("not run", {"must": "earn-top", "task": 99, "reply": "7"}),
        ("holds", {"must": "not-show", "task": 0, "text": "7"}),
        ("violated", {"must": "not-show", "task": 0, "text": "3  + 4"}),
    ]
    found = played(tmp_path, *(each for _, each in shown)).review
    assert outcomes(found) == [word for word, _ in shown]


@pytest.mark.everything(PART)
def test_a_reply_that_hangs_dies_or_raises_is_a_defect_and_others_are_played_on(
    tmp_path: Path,
) -> None:
    several = [
        {"must": "earn-nothing", "task": 0, "reply": each} for each in ("hang", "die", "raise")
    ]
    found = played(tmp_path, *several, {"must": "earn-top", "task": 0, "reply": "7"})
    assert [each.verdict for each in found.review.claims] == [*(3 * ["confirmed"]), "refuted"]
    assert not found.questions, "nobody needs to be asked about a reply without a score"
    assert [f.check for f in found.outcome.failures] == ["REV001"] * 3
    assert "no score: ValueError" in found.outcome.failures[2].message


@pytest.mark.everything(PART)
def test_a_claim_about_what_is_right_fails_only_if_a_second_reader_agrees(tmp_path: Path) -> None:
    refused = {"must": "earn-top", "task": 0, "reply": "3 and 4 are 7"}
    paid = {"must": "earn-nothing", "task": 0, "reply": "7 is wrong, so 9"}
    held = {"must": "earn-top", "task": 0, "reply": "7"}
    alone = played(tmp_path, refused, paid, held)
    assert [each.verdict for each in alone.review.claims] == ["doubtful", "doubtful", "refuted"]
    questions = (tmp_path / QUESTIONS_FILE).read_text()
    assert "3 and 4 are 7" in questions
    assert "The reply:\n7\n" in questions, "experiments that held are mixed in"
    assert "The cause" not in questions
    assert "earns" not in questions
    rare = played(tmp_path, refused, answers={"1": "everything", "common": "rarely"})
    assert [each.verdict for each in rare.review.claims] == ["doubtful"]
    assert "agrees, but calls such replies rare" in rare.outcome.report.findings[0].message
    told = played(tmp_path, refused, paid, held, answers={"1": "Everything", "2": "part"})
    assert [each.verdict for each in told.review.claims] == ["confirmed", "doubtful", "refuted"]
    (doubt,) = (f for f in told.outcome.report.findings if f.status == "warn")
    assert "a second reader disagrees: 'part'" in doubt.message
    assert told.outcome.report.reviewed[0] == (
        "3 claims by an unnamed reader: 1 confirmed, 1 doubtful, 1 refuted, 0 opinion; "
        "second reader: another; not read: reward.py, rows"
    )


@pytest.mark.everything(PART)
def test_a_file_of_the_user_with_the_name_of_the_questions_is_kept(tmp_path: Path) -> None:
    (tmp_path / QUESTIONS_FILE).write_text("My own questions.")
    with pytest.raises(SkillToolsError, match="not overwritten"):
        played(tmp_path, {"must": "earn-top", "task": 0, "reply": "3 and 4 are 7"})
    assert (tmp_path / QUESTIONS_FILE).read_text() == "My own questions."


@pytest.mark.everything(PART)
def test_claims_about_our_own_domain_are_played_with_every_validation(tmp_path: Path) -> None:
    early = ("if self.value == self.target", "if self.value > 2")
    counter = write_counter(tmp_path / "counter", game=early)
    write_yaml(
        counter / CLAIMS_FILE,
        {
            "reader": "me",
            "read": ["env.yaml", "game.py", "oracle.py", "tasks.py"],
            "claims": [
                {
                    "cause": "A counter short of the target is rewarded as well.",
                    "place": "game.py:12",
                    "experiment": {
                        "must": "earn-nothing",
                        "task": "train/0",
                        "calls": [{"tool": "add", "arguments": {"amount": 3}}],
                    },
                },
                {
                    "cause": "Two sessions share their counter.",
                    "experiment": {
                        "must": "not-depend",
                        "circumstance": "batch",
                        "task": 0,
                        "calls": [{"tool": "add", "arguments": {"amount": 1}}, {"tool": "look"}],
                        "others": [
                            {"task": 1, "calls": [{"tool": "add", "arguments": {"amount": 2}}]}
                        ],
                    },
                },
                {
                    "cause": "The oracle's file can be read.",
                    "experiment": {
                        "must": "not-read",
                        "task": 0,
                        "file": "../../etc/passwd",
                        "calls": [{"tool": "look"}],
                    },
                },
            ],
        },
    )
    report = skill_tools.check(counter, play=True).report
    assert report.findings[0].check == "REV002"
    assert report.reviewed[0].startswith(
        "3 claims by me: 0 confirmed, 1 doubtful, 1 refuted, 1 opinion"
    )
    assert "not read" not in report.reviewed[0]


def test_a_message_before_others_is_written_as_in_an_example(tmp_path: Path) -> None:
    files = archetypes.start("conversation", "talk")
    write_files(tmp_path / "talk", files)
    talk = {"task": 0, "calls": [{"message": "Hello."}], "reply": "Bye.", "must": "earn-nothing"}
    write_yaml(
        tmp_path / "talk" / CLAIMS_FILE,
        {"claims": [{"cause": "A greeting is rewarded.", "experiment": talk}]},
    )
    report = skill_tools.check(tmp_path / "talk", play=True).report
    assert "1 refuted" in report.reviewed[0]


CLAIMS = """\
```yaml
claims:
  - cause: The first number is taken instead of the last one.
    experiment: {must: earn-top, task: 0, reply: "3 and 4 are 7"}
  - cause: Short.
  - cause: This claim has an experiment of an unknown kind.
    experiment: {must: earn-all, task: 0, reply: "7"}
```
"""


@pytest.mark.everything(PART)
def test_a_model_reads_and_its_own_answers_come_from_a_fresh_conversation(tmp_path: Path) -> None:
    target, options = write_reward(tmp_path), AuditOptions(dataset=tmp_path / "rows.jsonl")
    with PolicyEndpoint({"tiny": {"*": (Turn(text=CLAIMS),)}}) as server:
        with pytest.raises(SkillToolsError, match="the model's answer"):
            review_with(target, "tiny", server.base_url, options, folder=tmp_path / "said")
        written = (tmp_path / "said" / CLAIMS_FILE).read_text()
        assert written.startswith("# Written by tiny.")
        assert "unknown kind" not in written
        with pytest.raises(SkillToolsError, match="exists and may be somebody's work"):
            review_with(target, "tiny", server.base_url, options, folder=tmp_path / "said")


@pytest.mark.everything(PART)
def test_the_command_writes_a_brief_and_plays_claims(tmp_path: Path) -> None:
    target, rows = write_reward(tmp_path), str(tmp_path / "rows.jsonl")
    brief = tmp_path / "review.md"
    written = command("review", target, "--dataset", rows, "--brief", str(brief))
    assert written.returncode == 0
    text = brief.read_text()
    assert " 6  def reward(completions, answer, **kwargs):" in text
    assert '3: {"prompt": "What is 3 + 4? End with the answer.", "answer": "8"}' in text
    missing = command("review", target, "--dataset", rows)
    assert missing.returncode == 2
    assert "--claims claims.yaml" in missing.stderr
    claims = tmp_path / CLAIMS_FILE
    write_yaml(
        claims,
        {
            "claims": [
                {
                    "cause": "It raises an error.",
                    "experiment": {"must": "earn-nothing", "task": 0, "reply": "raise"},
                }
            ]
        },
    )
    failed = command("review", target, "--dataset", rows, "--claims", str(claims), "--json")
    assert failed.returncode == 1
    assert json.loads(failed.stdout)["findings"][0]["check"] == "REV001"
    audited = command("audit", target, "--dataset", rows, "--claims", str(claims), "--json")
    assert "REV001" in {
        f["check"] for f in json.loads(audited.stdout)["findings"] if f["status"] == "fail"
    }


WRONG = {
    "no task": ("{must: earn-top, reply: a}", "earn-top needs a task"),
    "nothing to do": ("{must: earn-nothing, task: 0}", "earn-nothing needs a task, and a reply"),
    "nothing to compare with": ("{must: earn-more, task: 0, reply: a}", "needs as: with a reply"),
    "no circumstance": ("{must: not-depend, task: 0, reply: a}", "not-depend needs circumstance:"),
    "one row": ("{must: agree, rows: [1], differ: answer}", "needs two or more rows:"),
    "another word": ("{must: earn-al, task: 0, reply: a}", "is not one of the allowed values"),
    "a misspelt field": ("{must: earn-top, task: 0, replay: a}", "did you mean 'reply'?"),
}


@over("experiment, told", WRONG.values(), ids=list(WRONG))
def test_a_claim_that_cannot_be_read_is_refused_with_its_line(
    experiment: str, told: str, tmp_path: Path
) -> None:
    (tmp_path / CLAIMS_FILE).write_text(
        f"claims:\n  - cause: A long enough cause.\n    experiment: {experiment}\n"
    )
    with pytest.raises(SpecError) as refused:
        read_claims(tmp_path / CLAIMS_FILE)
    assert told in str(refused.value)
    assert f"{CLAIMS_FILE}:2" in str(refused.value)
