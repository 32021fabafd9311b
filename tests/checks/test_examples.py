"""Worked examples: what an author says must come back is compared wherever it is played."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from skill_tools import checks
from skill_tools.errors import SkillToolsError
from skill_tools.frameworks.rules import load
from skill_tools.play.bare import play_domain
from skill_tools.play.evidence import Evidence
from skill_tools.report.shown import find_shown
from tests.conftest import write_counter

from .test_checks import evidence_of

# Seed 0 gives the target 17, seed 99 of the task of test another.
EXAMPLES = """\
examples:
  - task: train/0
    because: A call that is too much is refused.
    opening: "the target is 17."
    calls:
      - {tool: add, arguments: {amount: 9}, shows: "The  counter is\\nat 9.", hides: target, reward: 0, done: false}
      - {tool: add, arguments: {amount: 9}, refused: true, shows: "add at most 8"}
      - {tool: add, arguments: {amount: 8}, reward: 1, done: true}
    returns: 1
  - task: test/0
    calls:
      - {tool: look, shows: "The counter is at 0"}
"""
LIMITS = "episode: {max_turns: 6}\n"


def with_examples(folder: Path, old: str = "", new: str = "", **more: tuple[str, str]) -> Path:
    """The counter with two examples, in which something is replaced."""
    assert old in EXAMPLES
    return write_counter(folder, env=(LIMITS, LIMITS + EXAMPLES.replace(old, new, 1)), **more)


def told(evidence: Evidence) -> list[str]:
    """What is said of the examples."""
    return [f.message for f in checks.run(evidence) if f.check == "EXA001" and f.status == "fail"]


def test_examples_that_are_right_pass_and_are_played_among_the_policies(tmp_path: Path) -> None:
    evidence = evidence_of(with_examples(tmp_path / "counter"))
    found = {f.check: f.status for f in checks.run(evidence)}
    assert found["EXA001"] == found["EXA002"] == "pass"
    played = evidence.reference["example"]
    assert [step.error for step in played["counter/train/0/0"].steps] == [
        None,
        "invalid_action",
        None,
    ]
    assert all(not t.steps for label, t in played.items() if label != "counter/train/0/0")
    assert [(t.label, len(t.steps)) for t in evidence.worked] == [("train/0", 3), ("test/0", 1)]


def test_of_several_examples_of_a_task_all_are_compared_and_variants_play_the_first(
    tmp_path: Path,
) -> None:
    evidence = evidence_of(with_examples(tmp_path / "counter", "test/0", "train/0"))
    assert told(evidence) == []
    assert [len(t.steps) for t in evidence.worked] == [3, 1]
    assert len(evidence.reference["example"]["counter/train/0/0"].steps) == 3
    wrong = ("test/0\n    calls:\n      - {tool: look, shows: \"The counter is at 0\"}",
             "train/0\n    calls:\n      - {tool: look, shows: \"at 5\"}")  # fmt: skip
    (found,) = told(other := evidence_of(with_examples(tmp_path / "wrong", *wrong)))
    assert found.startswith("examples[1] (train/0)")
    shown = find_shown(other, checks.run(other))["EXA001"]
    assert [step.tool for step in shown.steps] == ["look"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "is 17.",
            "is 18.",
            "examples[0] (train/0), of 'A call that is too much is refused': the op",
        ),
        ("is 17.", "is 18.", "the opening should show 'the target is 18.'"),
        ("at 9.", "at 8.", 'call 1, add({"amount": 9}): should show \'The  counter is'),
        ("hides: target", "hides: counter", "should not show 'counter'"),
        ("reward: 0,", "reward: 0.5,", 'call 1, add({"amount": 9}): should earn 0.5; it earned 0'),
        ("done: false", "done: true", "should end the episode"),
        ("done: true", "done: false", "should not end the episode"),
        ("refused: true, ", "", 'call 2, add({"amount": 9}): should be accepted'),
        ("9}, shows", "9}, refused: true, shows", "should be refused; what came back: 'The count"),
        ("returns: 1", "returns: 0.5", "the return should be 0.5; it was 1.0"),
        (
            "    returns",
            "      - {tool: look}\n    returns",
            "the episode was over after call 3 of 4",
        ),
        ("test/0", "test/7", "examples[1] (test/7), was not played: "),
    ],
)
def test_an_example_and_a_domain_that_differ_are_reported(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    (found,) = told(evidence_of(with_examples(tmp_path / "counter", old, new)))
    assert message in found


def test_a_rule_that_domain_and_oracle_have_wrong_alike_is_found(tmp_path: Path) -> None:
    wrong = ("self.value = 0", "self.value = 1")
    folder = with_examples(tmp_path / "counter", game=wrong)
    oracle = (folder / "oracle.py").read_text("utf-8")
    alike = oracle.replace("Counter(task, seed).target", "Counter(task, seed).target - 1")
    (folder / "oracle.py").write_text(alike, "utf-8")
    evidence = evidence_of(folder)
    assert {f.check for f in checks.run(evidence) if f.status == "fail"} == {"EXA001"}
    assert len(told(evidence)) == 2


def test_a_variant_that_plays_an_example_otherwise_is_named(tmp_path: Path) -> None:
    evidence = evidence_of(with_examples(tmp_path / "counter"))
    played = evidence.reference["example"]
    label, right = next(iter(played.items()))
    last = right.steps[-1].model_copy(update={"reward": 2.0})
    wrong = right.model_copy(update={"steps": [*right.steps[:-1], last]})
    there = {**evidence.reference, "example": {**played, label: wrong}}
    found = checks.run(replace(evidence, rollouts={"ors": evidence.reference, "gem": there}))
    (finding,) = [f for f in found if f.status == "fail"]
    assert finding.check == "PAR005"
    assert "example on counter/train/0/0: step 3, reward" in finding.message


def test_a_spec_without_examples_is_noted_only(tmp_path: Path) -> None:
    found = checks.run(evidence_of(write_counter(tmp_path / "counter")))
    assert [f.status for f in found if f.check == "EXA002"] == ["note"]
    assert [f.status for f in found if f.check == "EXA001"] == ["skip"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("tool: look", "tool: lock", "there is no tool 'lock'; did you mean 'look'?"),
        ("test/0", "test", "examples.1.task"),
        ("- {tool: look,", "- {tool: look, show: x,", "show"),
    ],
)
def test_an_example_that_cannot_be_meant_is_a_spec_error(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    folder = with_examples(tmp_path / "counter", old, new)
    with pytest.raises(SkillToolsError) as caught:
        load(folder)
    assert message in str(caught.value)


def test_the_examples_policy_says_where_it_has_nothing_to_play(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "counter")
    playbook = play_domain(load(folder), folder, count=1, exploring=False).playbook
    with pytest.raises(
        SkillToolsError, match=r"no example in env\.yaml is of these tasks of train"
    ):
        playbook.only("example")
