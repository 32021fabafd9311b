"""Worked examples: what an author says must come back is compared wherever it is played."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from skill_tools import checks
from skill_tools.checks.reading.sentences import sentences
from skill_tools.errors import SkillToolsError
from skill_tools.evidence.evidence import Evidence
from skill_tools.frameworks.rules import load
from skill_tools.pipeline.bare_runs import play_domain
from skill_tools.policies import scripted
from skill_tools.reference.examples import play_examples
from skill_tools.report.model import make_report
from skill_tools.report.terminal import print_report
from skill_tools.spec.examples import Example
from tests.conftest import write_counter
from tests.over import over
from tests.selection import few

from .played import evidence_of

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


def reported(evidence: Evidence) -> list[str]:
    """What is said of the examples."""
    return [f.message for f in checks.run(evidence) if f.check == "EXA001" and f.status == "fail"]


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Evidence:
    """The evidence of the counter without examples."""
    return evidence_of(write_counter(tmp_path_factory.mktemp("counted") / "counter"))


ENDS = """\
  - task: train/1
    because: After six calls the game is over, and nothing is played then.
    calls:
      - {tool: teleport, refused: true, shows: 'There is no tool "teleport".', reward: 0}
      - {tool: look, times: 5, shows: "The counter is at 0", reward: 0, done: true}
      - {tool: teleport, refused: true, shows: The episode is over}
      - {tool: look, times: 2, refused: true, shows: The episode is over, reward: 0}
    returns: 0
"""


@pytest.mark.everything("checks")
def test_an_example_shows_calls_of_no_tool_and_after_the_end_and_one_made_many_times(
    tmp_path: Path,
) -> None:
    folder = write_counter(tmp_path / "counter", env=(LIMITS, LIMITS + EXAMPLES + ENDS))
    evidence = evidence_of(folder)
    assert reported(evidence) == []
    played = evidence.reference.examples_replay[-1]
    assert [(step.tool, step.error) for step in played.steps] == [
        ("teleport", "unknown_tool"),
        *[("look", None)] * 5,
        ("teleport", "episode_over"),
        *[("look", "episode_over")] * 2,
    ]
    # Variants play it, too: what comes after the end is of the message that ends the episode.
    assert len(evidence.reference.episodes["example"]["counter/train/1/1"].steps) == 9
    turns = scripted.example(load(folder).examples[-1])
    assert [len(turn.calls) for turn in turns] == [1] * 5 + [4]


@pytest.mark.everything("checks")
def test_examples_that_are_right_pass_and_are_played_among_the_policies(tmp_path: Path) -> None:
    evidence = evidence_of(with_examples(tmp_path / "counter"))
    found = {f.check: f.status for f in checks.run(evidence)}
    assert found["EXA001"] == found["EXA002"] == "pass"
    played = evidence.reference.episodes["example"]
    assert [step.error for step in played["counter/train/0/0"].steps] == [
        None,
        "invalid_action",
        None,
    ]
    assert all(not t.steps for label, t in played.items() if label != "counter/train/0/0")
    assert [(t.label, len(t.steps)) for t in evidence.reference.examples_replay] == [
        ("train/0", 3),
        ("test/0", 1),
    ]


@pytest.mark.everything("checks")
def test_of_several_examples_of_a_task_all_are_compared_and_variants_play_the_first(
    tmp_path: Path,
) -> None:
    evidence = evidence_of(with_examples(tmp_path / "counter", "test/0", "train/0"))
    assert reported(evidence) == []
    assert [len(t.steps) for t in evidence.reference.examples_replay] == [3, 1]
    assert len(evidence.reference.episodes["example"]["counter/train/0/0"].steps) == 3
    wrong = ("test/0\n    calls:\n      - {tool: look, shows: \"The counter is at 0\"}",
             "train/0\n    calls:\n      - {tool: look, shows: \"at 5\"}")  # fmt: skip
    (found,) = reported(other := evidence_of(with_examples(tmp_path / "wrong", *wrong)))
    assert found.startswith("examples[1] (train/0)")
    (shown,) = (f.shown for f in checks.run(other) if f.check == "EXA001")
    assert [step.tool for step in shown.steps] == ["look"]


@pytest.mark.everything("costly")
@pytest.mark.parametrize(
    ("old", "new", "message"),
    few(
        [
            (
                "is 17.",
                "is 18.",
                "examples[0] (train/0), of 'A call that is too much is refused': the op",
            ),
            (
                "is 17.",
                "is 18.",
                "the opening should show 'the target is 18.'; it is:\nThe counter is at 0",
            ),
            ("at 9.", "at 8.", 'call 1, add({"amount": 9}): should show \'The  counter is'),
            ("hides: target", "hides: counter", "should not show 'counter'"),
            (
                "reward: 0,",
                "reward: 0.5,",
                'call 1, add({"amount": 9}): should earn 0.5; it earned 0',
            ),
            ('at 0"}', 'at 0", done: true}', "should end the episode"),
            ("done: true", "done: false", "should not end the episode"),
            ("refused: true, ", "", 'call 2, add({"amount": 9}): should be accepted'),
            (
                "9}, shows",
                "9}, refused: true, shows",
                "should be refused; the reply was: 'The count",
            ),
            ("returns: 1", "returns: 0.5", "the return should be 0.5; it was 1.0"),
            (
                "reward: 1, done: true}",
                "reward: 1}\n      - {tool: look}",
                "the episode was over after call 3 of 4",
            ),
            (
                'tool: look, shows: "The',
                'tool: look, times: 9, shows: "The',
                "after call 1 (6 of 9) of 1",
            ),
            (
                'at 0"}',
                'at 0", times: 6, refused: true}',
                "call 1 (1 of 6), look({}): should be refused",
            ),
            (
                'at 0"}',
                'at 0", times: 7, done: true}',
                "call 1 (6 of 7), look({}): should not end the",
            ),
            (
                "reward: 1, done: true}",
                "reward: 1, done: true}\n      - {tool: look, refused: true, shows: the game is won}",
                "call 4, look({}): should show 'the game is won'; it showed 'The episode is over",
            ),
            (
                "    returns",
                "      - {tool: fly, refused: true, done: false}\n    returns",
                "call 4, fly({}): should not end the episode",
            ),
            ("test/0", "test/7", "examples[1] (test/7), was not played: "),
        ],
        3,
        "checks",
    ),
)
def test_an_example_and_a_domain_that_differ_are_reported(
    old: str, new: str, message: str, tmp_path: Path, counted: Evidence
) -> None:
    folder = with_examples(tmp_path / "counter", old, new)
    spec = load(folder)
    declared = counted.declaration.model_copy(update={"examples": spec.examples})
    (found,) = reported(
        replace(
            counted,
            declaration=declared,
            reference=replace(counted.reference, examples_replay=play_examples(spec, folder)),
        )
    )
    assert message in found


@pytest.mark.everything("costly")
def test_the_report_names_the_examples_that_no_variant_played(tmp_path: Path) -> None:
    evidence = evidence_of(with_examples(tmp_path / "counter", "test/0", "train/0"))
    assert (
        make_report(
            replace(evidence, variants=replace(evidence.variants, rollouts={})), []
        ).bare_examples
        == []
    )
    report = make_report(evidence, checks.run(evidence))
    assert report.bare_examples == [1], "the second of a task"
    console = Console(record=True, width=200)
    print_report(report, console)
    assert (
        "only on the bare domain (variants play the first example of each task): examples[1]"
        in console.export_text()
    )


@pytest.mark.everything("checks")
def test_a_rule_that_domain_and_oracle_have_wrong_alike_is_found(tmp_path: Path) -> None:
    wrong = ("self.value = 0", "self.value = 1")
    folder = with_examples(tmp_path / "counter", game=wrong)
    oracle = (folder / "oracle.py").read_text("utf-8")
    alike = oracle.replace("Counter(task, seed).target", "Counter(task, seed).target - 1")
    (folder / "oracle.py").write_text(alike, "utf-8")
    evidence = evidence_of(folder)
    assert {f.check for f in checks.run(evidence) if f.status == "fail"} == {"EXA001"}
    assert len(reported(evidence)) == 2


@pytest.mark.everything("checks")
def test_a_variant_that_plays_an_example_otherwise_is_named(tmp_path: Path) -> None:
    evidence = evidence_of(with_examples(tmp_path / "counter"))
    played = evidence.reference.episodes["example"]
    label, right = next(iter(played.items()))
    last = right.steps[-1].model_copy(update={"reward": 2.0})
    wrong = right.model_copy(update={"steps": [*right.steps[:-1], last]})
    there = {**evidence.reference.episodes, "example": {**played, label: wrong}}
    found = checks.run(
        replace(
            evidence,
            variants=replace(
                evidence.variants, rollouts={"ors": evidence.reference.episodes, "gem": there}
            ),
        )
    )
    (finding,) = [f for f in found if f.status == "fail"]
    assert finding.check == "PAR005"
    assert "example on counter/train/0/0: step 3, reward" in finding.message


@pytest.mark.everything("costly")
def test_a_spec_without_examples_is_noted_only(tmp_path: Path) -> None:
    found = checks.run(evidence_of(write_counter(tmp_path / "counter")))
    assert [f.status for f in found if f.check == "EXA002"] == ["note"]
    assert [f.status for f in found if f.check == "EXA001"] == ["skip"]


@over(
    ("old", "new", "message"),
    [
        ("tool: look", "tool: lock", "there is no tool 'lock'; did you mean 'look'?"),
        (
            "tool: look",
            "tool: lock, refused: true",
            "there is no tool 'lock'; did you mean 'look'?",
        ),
        (
            "tool: look",
            "tool: teleport",
            "use a name that resembles none of the tools and write refused: true",
        ),
        (
            "done: false",
            "done: true",
            "calls.2: this call comes after the end: call 1 has done: true",
        ),
        ("tool: look", "tool: look, times: 0", "times"),
        ("tool: look", "tool: look, times: 1001", "times"),
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


SAYS = """
You see a counter at 0. Each step adds from 0 to 8; the counter must
end at the target exactly.
"""


def words(evidence: Evidence, prompt: str, says: str = SAYS) -> dict[str, list[tuple[str, str]]]:
    """What is said of a prompt's words, where an example says which of them it shows."""
    example = Example.model_validate({"task": "train/0", "says": says, "calls": [{"tool": "look"}]})
    reported = {"prompt": prompt, "examples": [example]}
    declared = evidence.declaration.model_copy(update=reported)
    found = checks.run(replace(evidence, declaration=declared))
    return {
        name: [(f.status, f.message) for f in found if f.check == name]
        for name in ("EXA003", "EXA004")
    }


@pytest.mark.everything("checks")
def test_words_that_examples_show_are_compared_sentence_by_sentence(counted: Evidence) -> None:
    right = {"EXA003": [("pass", "")], "EXA004": [("pass", "")]}
    reported = """\
{observation}
You see a counter at 0. Each step adds from 0 to 8; the counter
must end at the target exactly.
"""
    assert words(counted, reported) == right
    # Listed, and in lines of other lengths, they are the same sentences.
    listed = """\
{observation}
- You see a counter at 0.

1. Each step adds from 0 to 8; the counter must end at the target exactly.
"""
    assert words(counted, listed) == right

    sentence = "'Each step adds from 0 to {}; the counter must end at the target exactly.'"
    gone = (
        f"examples[0] (train/0) shows that {sentence.format(8)}, but neither the prompt nor a description "
        "nor a reply in an example says so"
    )
    changed = words(counted, reported.replace("0 to 8", "0 to 9"))
    assert changed == {
        "EXA003": [("fail", gone)],
        "EXA004": [("warn", f"the prompt says {sentence.format(9)}, but no example shows it")],
    }
    more = words(counted, reported + "Only even numbers count.\n")
    even = "the prompt says 'Only even numbers count.', but no example shows it"
    assert more == {**right, "EXA004": [("warn", even)]}
    less = words(counted, listed.replace("You see a counter at 0.", ""))
    assert [status for status, _ in less["EXA003"]] == ["fail"]
    assert less["EXA004"] == right["EXA004"]


@pytest.mark.everything("costly")
def test_a_sentence_with_a_placeholder_is_shown_as_the_agent_reads_it(counted: Evidence) -> None:
    template = "{observation}\nThe target of each game is {target}, and you count up to it.\n"
    read = "The target of each game is 11, and you count up to it."
    first = next(iter((counted.reference.episodes or {})["oracle"].values()))
    opened = first.model_copy(update={"prompt": [{"role": "user", "content": f"0\n{read}"}]})
    played = replace(counted, reference=replace(counted.reference, examples_replay=[opened]))
    right = {"EXA003": [("pass", "")], "EXA004": [("pass", "")]}
    assert words(played, template, read) == right
    assert words(counted, template, read)["EXA003"][0][0] == "fail"
    wrong = words(played, template.replace("count up", "count down"), read)
    assert [(status, "count down" in text) for status, text in wrong["EXA004"]] == [("warn", True)]


@pytest.mark.everything("costly")
def test_a_placeholder_at_the_end_of_a_long_line_is_no_part_of_its_sentence(
    counted: Evidence,
) -> None:
    long = "You count up to a number, by as many steps as you like to take. "
    assert sentences(f"{long}It is now {{now}}.") == [long.strip(), "It is now"]
    read = f"{long}It is now 12 May, 10:00."
    first = next(iter((counted.reference.episodes or {})["oracle"].values()))
    opened = first.model_copy(update={"prompt": [{"role": "user", "content": read}]})
    played = replace(counted, reference=replace(counted.reference, examples_replay=[opened]))
    assert words(played, f"{long}It is now {{now}}.", read)["EXA004"] == [("pass", "")]


@pytest.mark.everything("checks")
def test_short_lines_are_sentences_of_their_own(counted: Evidence) -> None:
    says = "It has one of these forms:\nadd NUMBER\nlook\n"
    found = words(counted, "It has one of these forms:\n- look\n- add NUMBER\n", says)
    assert found == {"EXA003": [("pass", "")], "EXA004": [("pass", "")]}


def test_a_heading_needs_no_example(counted: Evidence) -> None:
    says = "Add up to nine."
    for heading in ("Policy:", "Your task:", "# The rules"):
        found = words(counted, f"{heading}\n- {says}\n", says)
        assert found == {"EXA003": [("pass", "")], "EXA004": [("pass", "")]}, heading
    found = words(counted, f"Refuse all of these:\n- {says}\n", says)
    assert [status for status, _ in found["EXA004"]] == ["warn"]


def test_a_quotation_may_go_across_the_end_of_a_line(counted: Evidence) -> None:
    prompt = "The line meets these conditions:\nit has four words; none of them twice.\n"
    quoted = "The line meets these conditions: it has four words; none of them twice."
    assert words(counted, prompt, quoted) == {"EXA003": [("pass", "")], "EXA004": [("pass", "")]}
    changed = words(counted, prompt.replace("four", "five"), quoted)
    assert [status for status, _ in changed["EXA003"]] == ["fail"]


@pytest.mark.everything("costly")
def test_an_example_may_show_a_sentence_of_a_description(counted: Evidence) -> None:
    tools = {tool["name"]: tool for tool in counted.declaration.tools or []}
    found = words(counted, "{observation}\n", tools["add"]["description"])
    assert found["EXA003"] == [("pass", "")]
    found = words(counted, "{observation}\n", tools["add"]["description"] + " Or not.")
    assert [status for status, _ in found["EXA003"]] == ["fail"]


POLICY = """
Refunds take 3 days. Only a manager refunds more than 100 dollars.
"""
ASKED = """\
  - task: train/0
    calls:
      - {tool: look}
"""


@pytest.mark.parametrize("status", few(["", "        return 'STATUS: open'\n"], 0, "checks"))
def test_an_example_may_show_a_sentence_that_a_tool_tells(tmp_path: Path, status: str) -> None:
    """Then all of that answer are to be shown, but not the line that ends every answer."""
    line = f"    def status(self):\n{status}\n" if status else ""
    look = (
        "    def look(self):\n        return self.observe()",
        f"{line}    def look(self):\n        return {POLICY!r}",
    )
    env = (LIMITS, f"{LIMITS}examples:\n{ASKED}")
    asked = evidence_of(write_counter(tmp_path / "counter", game=look, env=env))
    days, manager = POLICY.strip().replace("days. ", "days.\n").splitlines()
    assert words(asked, "{observation}\n", POLICY) == {
        "EXA003": [("pass", "")],
        "EXA004": [("pass", "")],
    }
    half = words(asked, "{observation}\n", days)
    assert half["EXA003"] == [("pass", "")]
    assert half["EXA004"] == [("warn", f"look says {manager!r}, but no example shows it")]
    # Of answers of which no example shows a word nothing is asked.
    assert words(asked, "Count.\n", "Count.")["EXA004"] == [("pass", "")]
    gone = words(asked, "{observation}\n", "Refunds take 4 days.")
    assert [status for status, _ in gone["EXA003"]] == ["fail"]


def test_without_says_no_words_are_compared(counted: Evidence) -> None:
    found = words(counted, "{observation}\nCount.\n", "")
    unsaid = [("skip", "no example names the sentence it shows")]
    assert found == {"EXA003": unsaid, "EXA004": unsaid}


def test_examples_may_stand_in_a_file_of_their_own(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "counter")
    inline = load(with_examples(tmp_path / "inline"))
    (folder / "examples.yaml").write_text(EXAMPLES, "utf-8")
    assert load(folder).examples == inline.examples


@over(
    ("text", "where", "message"),
    [
        (EXAMPLES.replace("returns: 1", "return: 1"), "examples.yaml:9, examples.0.return", "unknown field 'return'"),
        (EXAMPLES.replace("tool: look", "tool: lock"), "examples.yaml:12, examples.1.calls.0.tool", "there is no tool"),
        ("example: []\n", "examples.yaml:1", "'example' is not a field of this file"),
        ("- task: train/0\n", "examples.yaml:1", "not a mapping from fields"),
        ("examples: [\n", "examples.yaml:2", "not valid YAML"),
        ("examples: []\n#" + "x" * 300_000, "examples.yaml", "larger than"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_the_file_of_examples_is_named_there(
    text: str, where: str, message: str, tmp_path: Path
) -> None:
    folder = write_counter(tmp_path / "counter")
    (folder / "examples.yaml").write_text(text, "utf-8")
    with pytest.raises(SkillToolsError) as caught:
        load(folder)
    assert where in str(caught.value)
    assert message in str(caught.value)


def test_examples_in_both_places_are_refused(tmp_path: Path) -> None:
    folder = with_examples(tmp_path / "counter")
    (folder / "examples.yaml").write_text(EXAMPLES, "utf-8")
    with pytest.raises(
        SkillToolsError, match=r"there are examples both here and in examples\.yaml"
    ):
        load(folder)


@pytest.mark.everything("costly")
def test_the_examples_policy_says_where_it_has_nothing_to_play(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "counter")
    playbook = play_domain(load(folder), folder, count=1, exploring=False).playbook
    with pytest.raises(SkillToolsError, match=r"no example in env\.yaml uses these tasks of train"):
        playbook.only("example")
