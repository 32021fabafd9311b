"""Checks over trajectories alone: no env spec, no folder, no domain, no reference run."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest
from rich.console import Console

from skill_tools import checks
from skill_tools.checks import CHECKS, needs
from skill_tools.evidence.declaration import Declaration
from skill_tools.evidence.evidence import Evidence, gather_rollouts
from skill_tools.evidence.probes import PROBES
from skill_tools.evidence.reference_run import Tasks
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.report.markdown import write_markdown
from skill_tools.report.model import make_report
from skill_tools.report.terminal import print_report
from tests.over import over

# A served environment of somebody else's; its tools have schemas that env.yaml could not say.
TOOLS = [
    {
        "name": "guess",
        "description": "Guess the word.",
        "parameters": {
            "type": "object",
            "properties": {
                "word": {"type": "string", "description": "The word."},
                "options": {
                    "type": "object",
                    "description": "How to guess.",
                    "properties": {"loud": {"type": "boolean", "description": "Shout it."}},
                },
            },
        },
    },
    {"name": "look", "description": "Look."},
]
WORDLE = Declaration(
    name="their_wordle",
    tools=TOOLS,
    reward_range=(0.0, 1.0),
    reward_timing="terminal",
    max_turns=6,
    hidden=["target"],
)
TASKS = Tasks("train", [{"target": "crane"}, {"target": "slate"}], {"train": 2})
WORDS = [task["target"] for task in TASKS.tasks]


def step(word: str, reward: float = 0.0, **changes: Any) -> dict[str, Any]:
    shown = [{"type": "text", "text": "Solved." if reward else "Not yet."}]
    made = {"tool": "guess", "arguments": {"word": word}, "observation": shown, "reward": reward}
    return {**made, "done": bool(reward), "error": None, **changes}


def steps_of(policy: str, word: str) -> list[dict[str, Any]]:
    over = {"done": True, "error": "episode_over"}
    return {
        "oracle": [step(word, 1.0)],
        "random": [step("zebra")] * 2,
        "noop": [],
        "malformed": [step(7, error="invalid_arguments")],
        "early_stop": [],
        "past_done": [step(word, 1.0), step(word, **over)],
        "turn_limit": [*[step("", error="invalid_arguments")] * 5, step("", done=True)],
    }.get(policy, [])


def ends(policy: str) -> str:
    return {"oracle": "terminated", "past_done": "terminated", "turn_limit": "truncated"}.get(
        policy, "stopped"
    )


def episode(policy: str, index: int, framework: str = "theirs", **changes: Any) -> Trajectory:
    steps = changes.pop("steps", steps_of(policy, WORDS[index]))
    return Trajectory.model_validate(
        {
            "framework": framework,
            "model": policy,
            "label": f"their_wordle/train/{index}/0",
            "split": "train",
            "index": index,
            "prompt": [{"role": "user", "content": "Guess a word of five letters."}],
            "tools": TOOLS,
            "steps": steps,
            "return": sum(each["reward"] for each in steps),
            "end": ends(policy),
            **changes,
        }
    )


SCRIPTED = ("oracle", "random", "noop", "malformed", "early_stop", "past_done", "turn_limit")


def rolled_out(*frameworks: str, **changes: Any) -> list[Trajectory]:
    return [
        episode(policy, index, framework, **changes)
        for framework in frameworks
        for policy in SCRIPTED
        for index in range(len(WORDS))
    ]


def statuses(evidence: Evidence) -> dict[str, str]:
    return {finding.check: finding.status for finding in checks.run(evidence)}


def reasons(evidence: Evidence) -> dict[str, str]:
    return {f.check: f.message for f in checks.run(evidence) if f.status == "skip"}


def failed(evidence: Evidence) -> set[str]:
    return {check for check, status in statuses(evidence).items() if status == "fail"}


OURS_ALONE = {check.id for check in CHECKS.values() if check.family in ("REN", "CON", "DET")} | {
    "SPE001",
    "SPE003",
    "SPE004",
    "SPE005",
    "SPE006",
    "SPE007",
    "EXA001",
    "EXA006",
    "EXA007",
    "ISO001",
    *(
        check.id
        for check in CHECKS.values()
        if {needs.PROBED, needs.TRIED, needs.REFERENCE, needs.ROLES, needs.SURVEY} & {*check.needs}
        or any(need.name in PROBES for need in check.needs)
    ),
    *("WOR001", "WOR003", "WOR004", "WOR012", "WOR013"),
    *("REW026", "REW027"),
}
UNSAID = {
    "ISO007",
    "OBS010",
    "PAR007",
    "PAR008",
    "PAR009",
    "POR001",
    "POR002",
    "POR003",
    "REV001",
    "REV002",
    "WOR002",
}
"""What needs ids, pictures, metrics, packages, claims and words of bounds; these rollouts and their tasks have none."""
AUDITS = {check for check in CHECKS if check.startswith(("AUD", "DAT", "GRA", "LRN"))}
"""What can only be said of an environment with env.yaml, files and a bare domain."""


def test_checks_that_can_judge_rollouts_do_and_the_others_say_what_they_lack() -> None:
    evidence = gather_rollouts(WORDLE, rolled_out("theirs", "also_theirs"), TASKS)
    found = statuses(evidence)
    assert {check for check, status in found.items() if status == "skip"} == (
        OURS_ALONE | UNSAID
    ) - AUDITS, "a check that these rollouts have nothing for belongs into UNSAID"
    assert {check for check, status in found.items() if status == "pass"} == {
        *CHECKS
    } - OURS_ALONE - UNSAID - AUDITS
    skipped = reasons(evidence)
    assert {skipped[check] for check in skipped.keys() - UNSAID} <= {
        n.reason for n in vars(needs).values() if isinstance(n, needs.Need)
    }
    for check in ("DET001", "DET002", "DET003", "ISO001"):
        assert skipped[check] == "there is no reference run of the bare domain"
    assert skipped["CON001"] == "the domain class was not inspected"
    assert skipped["SPE001"] == "no prompt is declared"


def changed(*, policy: str, framework: str = "also_theirs", **changes: Any) -> list[Trajectory]:
    """Rollouts in which a policy's first episode in one variant is another."""
    played = rolled_out("theirs", "also_theirs")
    at = next(n for n, t in enumerate(played) if (t.framework, t.model) == (framework, policy))
    return [*played[:at], episode(policy, 0, framework, **changes), *played[at + 1 :]]


def everywhere(policy: str, **changes: Any) -> list[Trajectory]:
    """Rollouts in which all of a policy's episodes are others, in every variant alike."""
    return [
        episode(t.model, t.index, t.framework, **changes) if t.model == policy else t
        for t in rolled_out("theirs", "also_theirs")
    ]


def shown(text: str) -> list[dict[str, Any]]:
    return [step("zebra", observation=[{"type": "text", "text": text}])]


BROKEN: dict[str, Callable[[], list[Trajectory]]] = {
    "EPI001": lambda: changed(policy="random", end="failed", failure=None, **{"return": None}),
    "EPI002": lambda: everywhere("oracle", end="stopped"),
    "EPI003": lambda: everywhere("past_done", steps=[step("crane", 1.0), step("crane")]),
    "EPI004": lambda: everywhere("turn_limit", steps=[step("")] * 9),
    "EPI005": lambda: everywhere("random", steps=shown("")),
    "REW001": lambda: everywhere("oracle", steps=[step("crane", 1.4)]),
    "REW002": lambda: everywhere("oracle", steps=[step("crane", 0.8)]),
    "REW018": lambda: everywhere(
        "oracle", steps=[step("zebra", 0.5, done=False), step("crane", -0.5, done=True)]
    ),
    "REW003": lambda: everywhere("oracle", steps=[step("crane", done=True)]),
    "REW004": lambda: everywhere("noop", final_reward=0.2, **{"return": 0.2}),
    "REW005": lambda: everywhere("random", steps=[step("crane", 1.0)]),
    "REW006": lambda: everywhere("random", steps=[step("crane", 0.1, done=False)]),
    "REW007": lambda: everywhere("random", steps=[step(7, 0.1, done=False, error="refused")]),
    "ISO002": lambda: everywhere("oracle", prompt=[{"role": "user", "content": "It is CRANE."}]),
    "ISO003": lambda: everywhere("random", steps=shown("It is not slate.")),
    "PAR002": lambda: changed(policy="oracle", prompt=[{"role": "user", "content": "Guess!"}]),
    "PAR003": lambda: changed(policy="oracle", tools=TOOLS[:1]),
    "PAR004": lambda: changed(policy="random", steps=[*shown("Not so."), step("zebra")]),
    "PAR005": lambda: changed(policy="noop", final_reward=-0.0001, **{"return": 0.0}),
    "PAR006": lambda: changed(policy="random", end="truncated"),
    "PAR007": lambda: changed(policy="random", metrics={"exact": 1.0}),
    "PAR009": lambda: changed(policy="random", requests=[{"role": "judge"}]),
}


@over("identity", BROKEN, few=8, part="checks")
def test_a_defect_is_found_in_rollouts_alone(identity: str) -> None:
    assert failed(gather_rollouts(WORDLE, BROKEN[identity](), TASKS)) == {identity}


def test_where_luck_decides_an_oracle_may_stop_in_a_world_that_ends() -> None:
    lucky = WORDLE.model_copy(update={"best": "luck"})
    one = changed(policy="oracle", end="stopped")
    assert "EPI002" not in failed(gather_rollouts(lucky, one, TASKS))
    assert "EPI002" in failed(gather_rollouts(WORDLE, one, TASKS))
    cut = changed(policy="oracle", end="truncated")
    assert "EPI002" in failed(gather_rollouts(lucky, cut, TASKS))
    endless = [t.model_copy(update={"end": "stopped"}) for t in one]
    assert "EPI002" in failed(gather_rollouts(lucky, endless, TASKS))


@pytest.mark.parametrize("lacking", ["a", "b"])
def test_what_one_variant_did_not_play_is_found_in_any(lacking: str) -> None:
    played = [t for t in rolled_out("a", "b") if (t.framework, t.model) != (lacking, "noop")]
    messages = [
        f.message for f in checks.run(gather_rollouts(WORDLE, played, TASKS)) if f.status == "fail"
    ]
    assert messages == [f"{lacking}: noop did not play their_wordle/train/0/0"]


def test_declared_tools_are_read_as_schemas_of_any_depth() -> None:
    reported = {
        "type": "object",
        "properties": {"loud": {"type": "boolean", "description": "Crane!"}},
    }
    deep = {"type": "object", "properties": {"word": {"type": "string"}, "options": reported}}
    tools = [{"name": "guess", "description": "Guess.", "parameters": deep}]
    declared = WORDLE.model_copy(update={"tools": tools})
    played = rolled_out("theirs", tools=tools)
    assert failed(gather_rollouts(declared, played, TASKS)) == {"SPE002", "ISO004"}


def test_what_nobody_declared_is_not_judged() -> None:
    played = BROKEN["REW001"]()
    evidence = gather_rollouts(Declaration(name="theirs"), played)
    assert failed(evidence) == set()
    skipped = reasons(evidence)
    assert skipped["REW001"] == "no range of returns is declared"
    assert skipped["REW006"] == "the reward timing is not declared (reward.timing)"
    assert skipped["EPI004"] == "no turn limit is declared"
    assert skipped["ISO002"] == "env.yaml does not declare which task fields are hidden"
    assert skipped["SPE002"] == "no tools are declared"


def test_without_tasks_no_leak_is_called_absent() -> None:
    skipped = reasons(gather_rollouts(WORDLE, rolled_out("theirs")))
    assert skipped["ISO002"] == skipped["ISO003"] == needs.WITH_TASKS.reason
    assert skipped["ISO004"] == needs.TASKS.reason
    unplaced = [t.model_copy(update={"index": None}) for t in rolled_out("theirs")]
    assert reasons(gather_rollouts(WORDLE, unplaced, TASKS))["ISO002"] == needs.WITH_TASKS.reason


def test_a_policy_that_was_not_played_proves_nothing() -> None:
    played = [t.model_copy(update={"model": "a-model"}) for t in rolled_out("theirs")]
    evidence = gather_rollouts(WORDLE, played, TASKS)
    skipped = reasons(evidence)
    assert skipped["REW002"] == "the policy oracle was not played"
    assert skipped["EPI004"] == "the policy turn_limit was not played"
    assert "REW001" not in skipped
    # What a policy of its own would have looked for is found all the same where it shows.
    late = [episode("past_done", 0, steps=[step("crane", 1.0), step("crane")])]
    late = [t.model_copy(update={"model": "a-model"}) for t in late]
    assert failed(gather_rollouts(WORDLE, late, TASKS)) == {"EPI003"}


def test_models_that_act_as_they_like_are_not_compared() -> None:
    played = [
        t.model_copy(update={"model": "a-model"})
        for t in [*rolled_out("a"), *BROKEN["PAR004"](), *BROKEN["PAR006"]()]
    ]
    skipped = reasons(gather_rollouts(WORDLE, played, TASKS))
    assert skipped["PAR004"] == skipped["PAR006"] == needs.BASELINE.reason
    assert (
        reasons(gather_rollouts(WORDLE, rolled_out("one"), TASKS))["PAR002"]
        == needs.BASELINE.reason
    )


def test_one_episode_played_often_is_kept_each_time() -> None:
    good, bad = episode("a-model", 0, steps=[]), episode("a-model", 0, steps=[step("crane", 1.4)])
    evidence = gather_rollouts(WORDLE, [good, bad, good], TASKS)
    assert len(evidence.every) == 3
    messages = [f.message for f in checks.run(evidence) if f.check == "REW001"]
    label = "their_wordle/train/0/0#2"
    assert messages == [f"theirs: a-model on {label}: return 1.4 is not in [0, 1]"]


def test_where_actions_are_text_tools_and_instructions_are_not_differences() -> None:
    rules = "Write <guess>WORD</guess>."
    reported = [{"role": "system", "content": rules}, *episode("oracle", 0).prompt]
    played = [*rolled_out("in_words", prompt=reported, tools=[]), *rolled_out("theirs")]
    declared = WORDLE.model_copy(update={"text_rules": rules})
    assert failed(gather_rollouts(declared, played, TASKS, in_text=["in_words"])) == set()
    assert failed(gather_rollouts(declared, played, TASKS)) == {"PAR002", "PAR003"}
    other = WORDLE.model_copy(update={"text_rules": "Write WORD."})
    assert failed(gather_rollouts(other, played, TASKS, in_text=["in_words"])) == {"PAR002"}


def test_no_evidence_at_all_passes_nothing() -> None:
    assert set(statuses(gather_rollouts(Declaration(name="unseen"), [])).values()) == {"skip"}


def test_a_report_is_made_of_rollouts_alone() -> None:
    evidence = gather_rollouts(WORDLE, BROKEN["REW001"](), TASKS)
    made = make_report(evidence, checks.run(evidence))
    assert not made.ok
    assert (made.environment, made.title, made.folder) == ("their_wordle", "their_wordle", "")
    assert [variant.framework for variant in made.variants] == ["theirs", "also_theirs"]
    assert made.counts["skip"] == len(reasons(evidence))
    text = write_markdown(made, evidence)
    assert "## The oracle on their_wordle/train/0/0\n" in text
    assert "there is no reference run of the bare domain" in text
    console = Console(file=io.StringIO(), width=200)
    print_report(made, console)
    assert "return 1.4 is not in [0, 1]" in console.file.getvalue()
