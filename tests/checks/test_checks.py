"""The catalogue of checks: documented, each with an example that fails it and it alone."""

from __future__ import annotations

import copy
import io
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from skill_tools import checks
from skill_tools.checks import CHECKS, FAMILIES, needs
from skill_tools.evidence.evidence import POLICIES, Evidence
from skill_tools.evidence.probes import PROBES
from skill_tools.evidence.trajectory import Failure, Trajectory
from skill_tools.frameworks.rules import load
from skill_tools.pipeline import render
from skill_tools.pipeline.collection import compare_files, inspect_domain, read_author_files
from skill_tools.report.markdown import write_markdown
from skill_tools.report.model import make_report
from skill_tools.report.terminal import print_report
from skill_tools.spec.examples import Example
from tests.conftest import write_counter
from tests.over import over
from tests.selection import few, some

from .audited import AUDITS
from .broken import CLASS, FILES, PLAYED, PREPARED, with_changes
from .exploited import (
    EXPLORED,
    NUMBERS_REVEAL,
    WORDS,
    asked,
    attempts,
    clicked_colours,
    declared,
    installed,
    opened,
    picture,
    probed,
    together,
    unwanted,
    wrong,
)
from .exploited import edited as in_all_runs
from .played import edited, evidence_of, renamed


def everywhere(evidence: Evidence, edit: Callable[[Trajectory], Trajectory]) -> Evidence:
    """The evidence with every trajectory edited, so that nothing differs from anything."""
    return replace(
        evidence,
        reference=replace(
            evidence.reference,
            episodes=edited(evidence.reference.episodes, edit),
            repeat=edited(evidence.reference.repeat, edit),
        ),
        variants=replace(
            evidence.variants,
            rollouts={
                name: edited(played, edit) for name, played in evidence.variants.rollouts.items()
            },
        ),
    )


def in_variant(edit: Callable[[Trajectory], Trajectory]) -> Callable[[Evidence], Evidence]:
    """An example in which one variant's oracle trajectories were edited."""

    def change(evidence: Evidence) -> Evidence:
        def only_oracle(trajectory: Trajectory) -> Trajectory:
            return edit(trajectory) if trajectory.model == "oracle" else trajectory

        return replace(
            evidence,
            variants=replace(
                evidence.variants,
                rollouts={"ors": edited(evidence.reference.episodes, only_oracle)},
            ),
        )

    return change


def with_step(trajectory: Trajectory, number: int, **changes: Any) -> Trajectory:
    steps = list(trajectory.steps)
    steps[number] = steps[number].model_copy(update=changes)
    return trajectory.model_copy(update={"steps": steps})


def played_after_end(trajectory: Trajectory) -> Trajectory:
    if trajectory.model != "past_done":
        return trajectory
    return with_step(trajectory, -1, error=None)


def without_limit(trajectory: Trajectory) -> Trajectory:
    update = {"end": "stopped"} if trajectory.model == "turn_limit" else {}
    return trajectory.model_copy(update=update)


EDITS: dict[str, Callable[[Evidence], Evidence]] = {
    "EPI003": lambda evidence: everywhere(evidence, played_after_end),
    "EPI004": lambda evidence: everywhere(evidence, without_limit),
    "PAR001": lambda evidence: replace(
        evidence, variants=replace(evidence.variants, broken={"ors": "did not start"})
    ),
    "PAR002": in_variant(lambda t: t.model_copy(update={"prompt": t.prompt[1:]})),
    "PAR003": in_variant(lambda t: t.model_copy(update={"tools": t.tools[:1]})),
    "PAR004": in_variant(lambda t: with_step(t, 0, observation=[{"type": "text", "text": "?"}])),
    "PAR005": in_variant(lambda t: with_step(t, -1, reward=0.5)),
    "PAR006": in_variant(lambda t: t.model_copy(update={"end": "truncated"})),
    "PAR007": in_variant(lambda t: t.model_copy(update={"metrics": {"exact": 1.0}})),
    "PAR009": in_variant(lambda t: t.model_copy(update={"requests": [{"role": "judge"}]})),
}


def edit_a_file(folder: Path) -> None:
    path = folder / "ors" / "server.py"
    path.write_text(path.read_text() + "# mine\n")


def outdate_the_spec(folder: Path) -> None:
    path = folder / "env.yaml"
    path.write_text(path.read_text().replace("max_turns: 6", "max_turns: 7"))


def drop_a_framework(folder: Path) -> None:
    path = folder / "env.yaml"
    text = path.read_text() + "frameworks: [openenv, verifiers, nemo_gym]\n"
    path.write_text(text)


DISK: dict[str, Callable[[Path], None]] = {
    "REN001": edit_a_file,
    "REN002": outdate_the_spec,
    "REN003": lambda folder: (folder / "_shared/episode.py").unlink(),
}


def failed(evidence: Evidence) -> set[str]:
    return {finding.check for finding in checks.run(evidence) if finding.status == "fail"}


def skipped(evidence: Evidence) -> dict[str, str]:
    return {f.check: f.message for f in checks.run(evidence) if f.status == "skip"}


def test_nothing_but_notes_is_told_of_a_good_environment(good: Evidence) -> None:
    reported = {(f.check, f.status, f.message) for f in checks.run(good)}
    assert {each for each in reported if each[1] not in ("pass", "skip")} == {
        ("TAS004", "note", "test has 1 task"),
        ("WOR006", "note", "the oracle never calls look"),
        (
            "EXA002",
            "note",
            "env.yaml has no worked examples: no check could compare the rules with your intention",
        ),
    }
    assert reported >= {
        ("SPE006", "skip", "no exceptions are declared"),
        ("EXA001", "skip", "no worked examples were declared and played"),
        ("EXA003", "skip", "no example names the sentence it shows"),
        ("EXA004", "skip", "no example names the sentence it shows"),
    }


def test_a_split_that_only_shows_rare_rules_may_be_of_few(good: Evidence) -> None:
    more = replace(
        good,
        reference=replace(
            good.reference,
            survey={**good.reference.survey, "rare": [("x", ["id"])], "val": [("y", ["id"])]},
        ),
    )
    shown = [
        Example(task=task, because="", calls=[{"tool": "look"}]) for task in ("rare/0", "val/0")
    ]
    few = {f.message for f in checks.run(declared(examples=shown)(more)) if f.check == "TAS004"}
    assert few == {"test has 1 task", "val has 1 task"}
    assert "rare has 1 task" in {f.message for f in checks.run(more) if f.check == "TAS004"}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Call `add` exactly once.", "fail"),
        ("`add` looks for a text. It must be in the file exactly once.", "skip"),
        ("`add` replaces what occurs in it only once.", "skip"),
    ],
)
def test_what_stands_once_in_a_text_is_no_final_call(
    words: str, expected: str, good: Evidence
) -> None:
    assert status("WOR011", asked(words)(good)) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("There are at most 40 messages.", "fail"),
        ("You have 12 tries in each round.", "skip"),
        ("You have 40 turns per episode.", "fail"),
    ],
)
def test_a_promise_for_a_part_of_an_episode_is_no_promise_for_all_of_it(
    words: str, expected: str, good: Evidence
) -> None:
    assert status("WOR005", opened(words)(good)) == expected


def test_a_prompt_may_name_functions_where_the_agent_only_writes_messages(good: Evidence) -> None:
    said = asked("Write calls such as `open_vent(zone, percent)`.")(good)
    assert status("WOR001", said) == "warn"
    assert status("WOR001", declared(tools=[{"name": "message"}])(said)) == "skip"


def test_a_name_that_is_no_tool_is_shown_where_it_stands(good: Evidence) -> None:
    said = asked("Repair the function `parse(text)`, which fails for empty texts.")(good)
    (found,) = (f for f in checks.run(said) if f.check == "WOR001")
    assert found.status == "warn"
    assert "Repair the function `parse(text)`, which fails" in found.message
    assert "exceptions" in found.fix


def test_a_tool_that_an_example_calls_is_shown_to_be_for_something(good: Evidence) -> None:
    played = next(iter(good.reference.episodes["oracle"].values()))
    step = played.steps[0].model_copy(update={"tool": "look"})
    one = Example(task="train/0", because="", calls=[{"tool": "look"}])
    told = declared(examples=[one])(good)
    shown = replace(
        told,
        reference=replace(
            told.reference, examples_replay=[played.model_copy(update={"steps": [step]})]
        ),
    )
    assert "WOR006" not in {f.check for f in checks.run(shown) if f.status == "note"}


@over(
    "text",
    [
        "Each tool call is one turn, a refused one too, and that costs nothing else.",
        "A refused call is a turn. An unknown word costs no points.",
        "An invalid amount costs nothing else.",
        "Every call is a turn, refused ones included, though refused calls are free of charge.",
        "Asking twice is refused and uses no round. A refused call counts against the 14 calls that you have.",
        "The desk refuses a parcel without a label, and then takes nothing.",
    ],
    few=2,
    part="checks",
)
def test_a_prompt_that_says_that_refusals_are_turns_promises_nothing(
    text: str, good: Evidence
) -> None:
    assert "WOR004" not in failed(asked(text)(good))


@pytest.mark.everything("costly")
@over(
    "text",
    [
        "A refused call changes nothing and costs a turn.",
        "You may make 40 calls; a refused one changes nothing and counts too.",
        "You have 16 calls in all, refused ones included.",
        "Refused calls cost a turn, too.",
        "A refused call counts towards your 20 calls.",
        "A refused call uses up one of your calls.",
        "A refused guess costs nothing but one of your 90 calls.",
        "Each call is one turn, and so is a call that is refused.",
    ],
    few=3,
    part="checks",
)
def test_refusals_that_words_call_turns_are_not_free(text: str, good: Evidence) -> None:
    said = asked(text)
    assert status("WOR004", said(good)) == "pass"
    assert status("WOR004", declared(max_refusals=10)(said(good))) == "fail"


@pytest.mark.everything("checks")
@pytest.mark.parametrize(
    "text",
    [
        *("A refused press uses up no press.", "Refused calls are free."),
        *("A refused call takes no turn.", "An illegal move does not count."),
        "A refused call is none of your calls, but gives you a warning.",
    ],
)  # fmt: skip
def test_refusals_that_words_call_free_are_no_turns(text: str, good: Evidence) -> None:
    said = asked(text)
    assert status("WOR004", said(good)) == "fail"
    assert status("WOR004", declared(max_refusals=10)(said(good))) == "pass"


@pytest.mark.everything("costly")
def test_the_refusal_that_ends_an_episode_is_the_one_that_words_name(good: Evidence) -> None:
    free = declared(max_refusals=10)
    assert status("WOR004", free(asked("The ninth refused call ends the episode.")(good))) == "warn"
    assert status("WOR004", free(asked("The 10th refused call ends it.")(good))) == "pass"
    named = "A refused call is free, but gives you a warning. {} the episode without pay."
    for words in ("Three warnings end", "The third warning ends", "The 3rd warning ends"):
        assert status("WOR004", free(asked(named.format(words))(good))) == "warn"
    assert status("WOR004", free(asked(named.format("Ten warnings end"))(good))) == "pass"


def status(check: str, evidence: Evidence) -> str:
    """What a check says of some evidence."""
    return next(found.status for found in checks.run(evidence) if found.check == check)


@pytest.mark.parametrize("identity", some(FILES, [*FILES][::5], "checks"))
def test_a_broken_author_file_fails_the_check_meant_for_it(identity: str, tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "counter", **FILES[identity])
    evidence = evidence_of(folder)
    assert failed(evidence) == {identity}, (
        f"found: {unwanted(evidence)}; what only warns has its example in exploited.py"
    )


@pytest.mark.everything("costly")
@pytest.mark.parametrize("identity", some(PLAYED, [*PLAYED][:1], "checks"))
def test_a_defect_that_is_found_by_trying_fails_the_check_meant_for_it(
    identity: str, tmp_path: Path
) -> None:
    def reported(name: str, *changes: dict[str, Any]) -> set[tuple[str, str]]:
        folder = write_counter(tmp_path / name / "counter", **with_changes(*changes))
        found = checks.run(evidence_of(folder, exploring=True))
        return {(f.check, f.message) for f in found if f.status in ("fail", "warn", "note")}

    before = PREPARED.get(identity, {})
    new = reported("broken", before, PLAYED[identity]) - reported("sound", before)
    assert {check for check, _ in new} == {identity}


ONE_DEFECT = (
    "an example has one defect: mend the example where another check is right about it, name the "
    "check in `after` where one explains the other, or look closer in the rule"
)


@over("words", NUMBERS_REVEAL)
def test_each_relation_of_a_number_to_what_is_hidden_is_found(words: str, good: Evidence) -> None:
    found = [each for each in checks.run(NUMBERS_REVEAL[words](good)) if each.check == "ISO014"]
    assert words in found[0].message
    assert found[0].status == ("fail" if "alphabet" in words else "warn")


@pytest.mark.everything("costly")
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda tools: tools[:1], ": it does not show look"),
        (
            lambda tools: [tools[0], {**tools[1], "name": "see"}],
            ": it shows see instead of look",
        ),
        (lambda tools: tools[::-1], ": it shows the tools in another order: look, add"),
        (
            lambda tools: [with_field(tools[0], "maximum", 8), tools[1]],
            ": the tool add, parameters.properties.amount.maximum: 8 instead of 9",
        ),
        (
            lambda tools: [with_field(tools[0], "title", "Amount"), tools[1]],
            ": the tool add, parameters.properties.amount.title: 'Amount' instead of nothing",
        ),
    ],
)
def test_tools_that_differ_are_named_with_the_field_and_both_causes(
    change: Callable[[list[Any]], list[Any]], words: str, good: Evidence
) -> None:
    broken = in_variant(lambda t: t.model_copy(update={"tools": change(t.tools)}))(good)
    found = [each for each in checks.run(broken) if each.check == "PAR003"]
    assert found[0].message.endswith(words), found[0].message
    assert "undo the edit" in found[0].fix
    assert "in env.yaml or in the file that env.yaml names" in found[0].fix


def with_field(tool: dict[str, Any], field: str, value: Any) -> dict[str, Any]:
    """A tool whose parameter `amount` has another value of a field."""
    changed: dict[str, Any] = copy.deepcopy(tool)
    changed["parameters"]["properties"]["amount"][field] = value
    return changed


def test_each_package_that_differs_is_named_with_its_versions_and_the_line_that_pins_it(
    good: Evidence,
) -> None:
    seen = installed(
        openenv={"fastmcp": "3.4.1", "numpy": "2.3.0"},
        ors={"fastmcp": "4.0.2", "numpy": "2.3.0"},
        gem={"fastmcp": "3.4.1", "numpy": "2.3.0"},
    )(good)
    (found,) = [each for each in checks.run(seen) if each.check == "PAR008"]
    assert found.message == "fastmcp: 3.4.1 in openenv, gem; 4.0.2 in ors"
    assert found.fix == "pin it in env.yaml, for example `packages: [fastmcp>=3,<4]`"


@pytest.mark.everything("costly")
@over("identity", EXPLORED, few=16, part="checks")
def test_what_exploring_found_fails_the_check_meant_for_it(identity: str, good: Evidence) -> None:
    edit, level = EXPLORED[identity]
    assert unwanted(edit(good)) == {(identity, level)}, ONE_DEFECT


@over("identity", WORDS, few=4, part="checks")
def test_words_that_contradict_the_facts_fail_the_check_meant_for_them(
    identity: str, good: Evidence
) -> None:
    edit, level = WORDS[identity]
    assert unwanted(edit(good)) == {(identity, level)}, ONE_DEFECT


@pytest.mark.parametrize(
    ("colours", "found"),
    [
        ([(30, 80, 220), (25, 65, 200)], True),
        ([(30, 80, 220), (220, 30, 30)], False),
        ([(250, 250, 240)], True),
    ],
)
def test_what_is_clicked_must_be_told_from_other_tasks_and_from_the_background(
    colours: list[tuple[int, int, int]], found: bool, good: Evidence
) -> None:
    assert (("OBS001", "warn") in unwanted(clicked_colours(*colours)(good))) is found


def test_a_text_that_decides_nothing_is_told_of_once_and_sentences_are_a_note(
    good: Evidence,
) -> None:
    def texts(evidence: Evidence) -> Evidence:
        tried = []
        for how in ("empty", "cut off", "twice", "reversed", "another task's"):
            change = {"parameter": "note", "how": how, "kind": "far"}
            one = attempts("wrong-after", f"note: {how}", 1.0, change=change)(evidence)
            tried += one.probed.attempts["wrong-after"]
        alone = attempts("right", "", 0.0)(evidence)
        return probed(attempts={**alone.probed.attempts, "wrong-after": tried})(alone)

    found = [f for f in checks.run(texts(good)) if f.check == "REW011"]
    assert [(f.status, f.place.parameter) for f in found] == [("warn", "note")]
    assert "none of 5 other texts changes the reward" in found[0].message

    def wordy(trajectory: Trajectory) -> Trajectory:
        steps = [
            step.model_copy(
                update={"arguments": {**step.arguments, "note": "I am glad that it works now"}}
            )
            for step in trajectory.steps
        ]
        return trajectory.model_copy(update={"steps": steps})

    played = texts(in_all_runs(wordy, "oracle")(good))
    found = [f for f in checks.run(played) if f.check == "REW011"]
    assert [f.status for f in found] == ["note"]


def test_an_answer_that_may_be_off_by_what_the_prompt_says_is_right(good: Evidence) -> None:
    near = together(attempts("right", "", 1.0), wrong("one more", "near"))
    assert unwanted(near(good)) == {("REW011", "warn")}
    reported = asked("It earns 1.0 if it is off by 2 at most, else 0.")
    assert unwanted(reported(near(good))) == set()


def test_openings_that_take_long_are_to_be_looked_at_and_one_alone_is_not(good: Evidence) -> None:
    first, *others = good.probed.opened
    slow, *more = [each.model_copy(update={"took": 0.7}) for each in (first, *others)]
    several = [slow, *more]
    for calls, found in ((several, {("RES001", "warn")}), ([slow, *others], set())):
        assert unwanted(replace(good, probed=replace(good.probed, opened=calls))) == found


def test_randomness_without_a_seed_is_not_called_shared_state(tmp_path: Path) -> None:
    changes = ("{note}", "{note} {random.random()}")
    assert failed(evidence_of(write_counter(tmp_path / "counter", game=changes))) == {"DET001"}


@pytest.mark.everything("checks")
def test_a_limit_of_a_program_that_a_world_starts_is_no_clock_of_the_world(tmp_path: Path) -> None:
    # As every grader of code has one. The standard library reads the time for it, not the author.
    changes = [
        ("import random", "import random\nimport subprocess\nimport sys"),
        (
            "self.value += amount",
            'subprocess.run([sys.executable, "-S", "-c", "0"], timeout=20, check=True)\n        self.value += amount',
        ),
    ]
    assert "DET001" not in failed(evidence_of(write_counter(tmp_path / "counter", game=changes)))


@pytest.mark.everything("checks")
@pytest.mark.parametrize(
    "changes",
    [
        [
            ("class Counter:", "COUNT = [0]\n\n\nclass Counter:"),
            ("self.value = 0", "self.value = 0\n        COUNT[0] += 1"),
            ("{note}", "{note} {COUNT[0]}"),
        ],
        [
            ("class Counter:", "RNG = random.Random(0)\n\n\nclass Counter:"),
            ("{note}", "{note} {RNG.random()}"),
        ],
    ],
    ids=["counter", "generator"],
)
def test_state_of_the_module_is_shared_state(tmp_path: Path, changes: list) -> None:
    folder = write_counter(tmp_path / "counter", game=changes)
    assert failed(evidence_of(folder)) == {"ISO001"}


VARYING = {
    "address": "<Counter object at 0x{os.urandom(6).hex()}>",
    "time": "2024-01-31 12:30:{os.urandom(1)[0] % 60:02}",
    "duration": "{int.from_bytes(os.urandom(3))} ms",
    "path": "/tmp/{os.urandom(4).hex()}/a.txt",
}


def varying(folder: Path, game: Sequence = (), env: Sequence = ()) -> Evidence:
    """Evidence of a counter that shows something else each time, also in the variant."""
    declared = ("episode:", f"varies: {json.dumps(list(VARYING))}\nepisode:")
    shown = ("{self.target}.", "{self.target}. " + " ".join(VARYING.values()))
    seen = evidence_of(write_counter(folder, game=[*game, IMPORTED, shown], env=[*env, declared]))
    return replace(
        seen, variants=replace(seen.variants, rollouts={"openenv": renamed(seen.reference.repeat)})
    )


IMPORTED = ("import random\n", "import os\nimport random\n")


def with_prompt(trajectory: Trajectory, content: str) -> Trajectory:
    prompt = [*trajectory.prompt[:-1], {**trajectory.prompt[-1], "content": content}]
    return trajectory.model_copy(update={"prompt": prompt})


@pytest.mark.everything("checks")
def test_what_is_declared_to_vary_is_compared_by_no_check_and_all_else_is(tmp_path: Path) -> None:
    evidence = varying(tmp_path / "counter")
    assert failed(evidence) == set()
    for name in VARYING:
        others = [other for other in VARYING if other != name]
        declared = evidence.declaration.model_copy(update={"varies": others})
        assert failed(replace(evidence, declaration=declared)) == {"DET001"}
    assert failed(EDITS["PAR004"](evidence)) == {"PAR004"}
    opened = in_variant(lambda t: with_prompt(t, t.prompt[-1]["content"] + "!"))
    assert failed(opened(evidence)) == {"PAR002"}


UNUSED = ("episode:", "seed: {used: false, reason: none}\nepisode:")


@pytest.mark.everything("costly")
@pytest.mark.parametrize(
    ("game", "env", "expected"),
    few(
        [
            ([("{note}", "{note} {random.random()}")], [], {"DET001"}),
            (FILES["ISO001"]["game"], [], {"ISO001"}),
            ([FILES["DET002"]["game"]], [], {"DET002"}),
            ([FILES["DET002"]["game"]], [UNUSED], set()),
            ([], [UNUSED], {"DET003"}),
        ],
        1,
        "checks",
    ),
    ids=["random", "interleaved", "seed-ignored", "seed-unused", "unused-seed-used"],
)
def test_a_defect_beside_what_varies_is_found(
    tmp_path: Path, game: list, env: list, expected: set[str]
) -> None:
    assert failed(varying(tmp_path / "counter", game, env)) == expected


def test_an_image_that_varies_is_not_left_out(good: Evidence) -> None:
    def with_image(colour: int) -> Callable[[Trajectory], Trajectory]:
        block = picture((9, 9), (0, 0, (colour, 0, 0)))
        return lambda t: with_step(t, 0, observation=[block]) if t.model == "oracle" else t

    declared = good.declaration.model_copy(update={"varies": list(VARYING)})
    alike = everywhere(replace(good, declaration=declared), with_image(120))
    shared = {label: with_image(120)(t) for label, t in good.reference.interleaved.items()}
    backward = {label: with_image(120)(t) for label, t in good.reference.reversed.items()}
    alike = replace(
        alike, reference=replace(alike.reference, interleaved=shared, reversed=backward)
    )
    assert failed(alike) == set()
    other = {"openenv": edited(alike.variants.rollouts["openenv"], with_image(121))}
    assert failed(replace(alike, variants=replace(alike.variants, rollouts=other))) == {"PAR004"}


@pytest.mark.everything("checks")
def test_the_report_says_what_was_not_compared(tmp_path: Path, good: Evidence) -> None:
    evidence = varying(tmp_path / "counter")
    made = make_report(evidence, checks.run(evidence))
    line = "Observations are compared without: address, time, duration, path"
    assert f"\n{line}.\n" in write_markdown(made, evidence)
    for known, expected in ((made, True), (make_report(good, checks.run(good)), False)):
        console = Console(file=io.StringIO(), width=200)
        print_report(known, console)
        assert (line in console.file.getvalue()) is expected
    assert "compared without" not in write_markdown(make_report(good, checks.run(good)), good)


def test_a_broken_variant_is_not_blamed_on_the_domain(good: Evidence) -> None:
    failure = Failure(kind="ConnectionError", message="websocket closed")
    broken = in_variant(
        lambda t: t.model_copy(update={"end": "failed", "failure": failure, "total": None})
    )
    assert failed(broken(good)) == {"PAR001"}


def test_variants_of_which_none_ran_are_reported(good: Evidence) -> None:
    found = checks.run(
        replace(good, variants=replace(good.variants, rollouts={}, broken={"ors": "did not start"}))
    )
    assert [(f.check, f.message) for f in found if f.status == "fail"] == [
        ("PAR001", "ors: did not start")
    ]
    assert {f.check: f.message for f in found if f.status == "skip"} == {
        **skipped(good),
        **{id: needs.ROLLOUTS.reason for id in CHECKS if id[:3] == "PAR" and id != "PAR001"},
    }


def test_one_task_that_breaks_is_reported_with_its_cause(tmp_path: Path) -> None:
    head = '    def add(self, amount, note=""):\n'
    folder = write_counter(
        tmp_path / "counter",
        game=(
            head,
            head + "        if self.word == 'word3word':\n            raise ValueError('boom')\n",
        ),
    )
    found = checks.run(evidence_of(folder))
    assert {f.check for f in found if f.status == "fail"} == {"EPI001"}
    assert any("ValueError: boom (game.py:" in f.message for f in found)


def test_a_secret_with_an_accent_is_found(tmp_path: Path) -> None:
    folder = write_counter(
        tmp_path / "counter",
        tasks=('f"word{i}word"', 'f"café{i}"'),
        game=("The counter is at {self.value}; the", "Hint: {self.word}. The"),
    )
    assert failed(evidence_of(folder)) == {"ISO002"}


def test_a_member_of_a_secret_list_is_a_secret(tmp_path: Path) -> None:
    folder = write_counter(
        tmp_path / "counter",
        tasks=('f"word{i}word"}', '["cello", f"word{i}word"]}'),
        game=("The counter is at {self.value}; the", "Hint: {self.word[1].upper()}. The"),
    )
    assert failed(evidence_of(folder)) == {"ISO002"}


@pytest.mark.everything("checks")
def test_free_refusals_beyond_their_limit_are_found(tmp_path: Path) -> None:
    free = ("max_turns: 6", "max_turns: 6, refusals: free, max_refusals: 4")
    evidence = evidence_of(write_counter(tmp_path / "counter", env=free))
    assert failed(evidence) == set()
    promised = evidence.declaration.model_copy(update={"max_refusals": 3})
    assert failed(replace(evidence, declaration=promised)) == {"EPI004"}
    promised = evidence.declaration.model_copy(update={"max_turns": 2})
    assert failed(replace(evidence, declaration=promised)) == {"EPI004"}


@pytest.mark.everything("checks")
def test_doing_nothing_may_earn_nothing_although_mistakes_cost(tmp_path: Path) -> None:
    folder = write_counter(
        tmp_path / "counter", env=("episode:", "reward: {range: [-1.0, 1.0]}\nepisode:")
    )
    assert failed(evidence_of(folder)) == set()


@pytest.mark.everything("checks")
@over("identity", EDITS)
def test_a_broken_variant_fails_the_check_meant_for_it(identity: str, good: Evidence) -> None:
    assert failed(EDITS[identity](good)) == {identity}


@pytest.mark.everything("costly")
@pytest.mark.parametrize("identity", DISK)
def test_drift_fails_the_check_meant_for_it(identity: str, tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "counter")
    render(folder)
    DISK[identity](folder)
    assert failed(compare_files(load(folder), folder)) == {identity}


def test_a_left_over_variant_fails_the_check_meant_for_it(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "counter")
    render(folder)
    drop_a_framework(folder)
    found = failed(compare_files(load(folder), folder))
    assert "REN004" in found
    # The card and the shared pyproject name the frameworks, so they are stale as well.
    assert found <= {"REN004", "REN002"}


@pytest.mark.parametrize("identity", CLASS)
def test_a_broken_domain_class_fails_the_check_meant_for_it(identity: str, tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "counter", game=CLASS[identity])
    seen = inspect_domain(load(folder), folder)
    assert failed(replace(seen, reference=replace(seen.reference, survey=None))) == {identity}


DATA = {check for check in CHECKS if check.startswith(("DAT", "GRA", "LRN", "MOD", "POR", "REV"))}
"""What is said of rows, a study, models or claims alone; their broken examples are in test_data.py, studied.py,
roles.py, test_reviews.py and
tests/ports/test_certificates.py."""


def test_every_check_has_a_broken_example() -> None:
    elsewhere = {
        *EXPLORED,
        *WORDS,
        *AUDITS,
        *DATA,
        "REN004",
        "EXA001",
        "EXA002",
        "EXA003",
        "EXA004",
        "EXA006",
        "EXA007",
    }
    assert {*FILES, *EDITS, *DISK, *CLASS, *elsewhere} == set(CHECKS)


@over("check", CHECKS.values(), ids=list(CHECKS))
def test_every_check_is_documented(check: checks.Check) -> None:
    assert re.fullmatch(r"[A-Z]{3}\d{3}", check.id)
    assert check.family in FAMILIES
    assert re.fullmatch(r"[a-z]+(-[a-z]+)+", check.name)
    assert check.says or check.function.__name__ == check.name.replace("-", "_"), (
        "a function is named for the defect, an engine for what it compares"
    )
    assert check.what.endswith(".")
    assert len(check.what) <= 110
    assert len(check.why) > 40
    assert check.fix
    assert set(check.explained_by) <= set(CHECKS)
    assert all(isinstance(need, needs.Need) for need in check.needs)
    assert set(check.plays) <= set(POLICIES)


def test_ids_are_unique_and_in_order() -> None:
    listed = list(CHECKS)
    assert len(set(listed)) == len(listed) >= 20
    for family in FAMILIES:
        numbers = [identity for identity in listed if identity.startswith(family)]
        assert numbers == sorted(numbers)


def test_a_reason_to_skip_is_a_sentence_of_its_own_about_something_checks_read() -> None:
    named = [each for each in vars(needs).values() if isinstance(each, needs.Need)]
    reasons = [each.reason for each in named]
    assert len(set(reasons)) == len(reasons)
    reasons += [each.absent for each in PROBES.values()]
    assert all(len(reason.split()) >= 3 and not reason.endswith(".") for reason in reasons)
    used = {need.name for check in CHECKS.values() for need in check.needs}
    assert used <= {*(each.name for each in named), *PROBES}
    assert {each.name for each in named} <= used


def test_what_was_not_looked_at_is_skipped_with_the_reason(counter: Path) -> None:
    found = checks.run(read_author_files(load(counter), counter))
    skipped = {f.check: f.message for f in found if f.status == "skip"}
    assert skipped["REW001"] == "no played episode has a return"
    assert skipped["DET001"] == "there is no reference run of the bare domain"
    assert skipped["CON001"] == "the domain class was not inspected"
    assert skipped["REN001"] == "the rendered files were not compared with the spec"
    assert {f.check for f in found if f.status == "pass"} == {
        *("SPE001", "SPE002", "SPE007", "WOR013"),
        *("CON005", "CON006", "CON010", "EXA007"),
    }
    assert not [f for f in found if f.status == "fail"]


@pytest.mark.everything("costly")
@pytest.mark.parametrize("name", ["reference", "repeat", "interleaved", "reversed", "reseeded"])
def test_a_check_that_needs_a_run_is_skipped_without_it(name: str, good: Evidence) -> None:
    need = getattr(needs, name.upper())
    field = "episodes" if name == "reference" else name
    without = replace(good.reference, **{field: None})
    found = checks.run(replace(good, reference=without))
    skipped = {f.check for f in found if f.message == need.reason}
    # The first need that is not there is the reason; a reference run comes before what repeats it.
    assert skipped == {c.id for c in CHECKS.values() if need in c.needs}
    assert not [f for f in found if f.status == "fail"]


def test_a_long_observation_that_differs_is_shown_where_it_does(good: Evidence) -> None:
    def text(end: str) -> list[dict[str, str]]:
        return [{"type": "text", "text": "x" * 5000 + end}]

    def ending(end: str) -> Callable[[Trajectory], Trajectory]:
        return lambda t: with_step(t, 0, observation=text(end)) if t.model == "oracle" else t

    left = everywhere(
        replace(good, variants=replace(good.variants, rollouts={"ors": good.reference.episodes})),
        ending("left"),
    )
    evidence = replace(
        left,
        variants=replace(
            left.variants, rollouts={"ors": edited(left.reference.episodes, ending("right"))}
        ),
    )
    evidence = replace(
        evidence, reference=replace(evidence.reference, interleaved=None, reversed=None)
    )  # they were played without the edit
    (finding, *_) = [f for f in checks.run(evidence) if f.check == "PAR004" and f.message]
    assert "xright" in finding.message
    assert "xleft" in finding.message
    assert finding.message.endswith("on the bare domain")
    assert len(finding.message) < 600


def test_the_colours_of_a_screen_are_those_of_its_programs(good: Evidence) -> None:
    edit, status = EXPLORED["OBS001"]
    seen = edit(good)
    assert ("OBS001", status) in unwanted(seen)
    screen = seen.declaration.model_copy(update={"tolerance": 0.02})
    assert ("OBS001", status) not in unwanted(replace(seen, declaration=screen))
