"""Checks of what only an audit sees."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from skill_tools import checks
from skill_tools.audit.audit import why_never_scored
from skill_tools.audit.driver import SeenEpisode
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.grading.graded import Graded, GradedReply
from skill_tools.evidence.trajectory import Failure, Trajectory, by_label
from skill_tools.report.model import make_report
from tests.over import over

from .audited import (
    FAILS,
    FILLED,
    PAID,
    WARNED,
    audit_of,
    episode,
    oracle_episodes,
    step,
    with_seen,
)


def found(evidence: Evidence, *statuses: str) -> set[str]:
    return {f.check for f in checks.run(evidence) if f.status in statuses}


def test_a_right_environment_of_others_passes_all_that_can_be_judged() -> None:
    findings = checks.run(audit_of())
    assert not [f for f in findings if f.status not in ("pass", "skip")]
    passed = {f.check for f in findings if f.status == "pass" and f.check.startswith("AUD")}
    assert len(passed) == 15


@over("identity", FAILS)
def test_a_defect_fails_the_check_meant_for_it_and_no_other(identity: str) -> None:
    assert found(FAILS[identity](), "fail") == {identity}


@over("identity", WARNED)
def test_what_a_person_should_look_at_is_told_and_fails_nothing(identity: str) -> None:
    evidence = WARNED[identity]()
    assert found(evidence, "warn", "note") == {identity}
    assert not found(evidence, "fail")


def test_what_an_audit_alone_sees_is_not_asked_elsewhere() -> None:
    asked = {f.check for f in checks.run(audit_of()) if f.check.startswith("AUD")}
    assert len(asked) == 15
    evidence = replace(audit_of(), audit=replace(audit_of().audit, audited=None))
    assert not [f for f in checks.run(evidence) if f.check.startswith("AUD")]


def test_filler_paid_with_a_cap_is_still_paid_by_its_length() -> None:
    capped = {name: min(1.0, int(name[7:]) / 40) for name in FILLED}
    assert found(audit_of(capped), "fail") == {"AUD002"}


def test_who_pays_for_anything_but_what_it_refuses_pays_for_anything() -> None:
    refused = step()
    refused["error"] = "refused"
    every = [
        episode("malformed", 0.0, t.index or 0, steps=[refused]) if t.model == "malformed" else t
        for t in audit_of(dict.fromkeys(FILLED, 1.0)).every
    ]
    assert found(audit_of(every=every), "fail") == {"AUD001"}


def test_the_same_pay_for_every_filler_is_not_by_its_length() -> None:
    assert not found(audit_of(dict.fromkeys(FILLED, 0.2)), "fail")


def test_a_replay_that_only_reads_otherwise_is_a_warning() -> None:
    other = {
        "oracle": {
            f"theirs/train/{i}/0": episode("oracle", 1.0, i, steps=[step("Yes!", 1.0)])
            for i in range(2)
        }
    }
    assert found(audit_of(again=other), "warn") == {"AUD005"}


def test_a_replay_that_differs_in_random_identifiers_alone_is_a_note() -> None:
    def said(text: str) -> dict[str, dict[str, Trajectory]]:
        return oracle_episodes(steps=[step(text, 1.0)])

    sent = said("Sent MSG-3fa85f64.")["oracle"].values()
    every = [*sent, *(t for t in audit_of().every if t.model != "oracle")]
    assert not found(audit_of(every=every, again=said("Sent MSG-09bc11de.")), "warn", "fail")
    assert found(audit_of(every=every, again=said("Lost MSG-09bc11de.")), "warn") == {"AUD005"}


def test_a_text_without_a_description_is_a_note_in_an_audit_and_a_number_a_warning() -> None:
    def tool(kind: str) -> dict[str, Any]:
        schema = {"type": "object", "properties": {"city": {"type": kind}}}
        return {"name": "look", "description": "Look.", "parameters": schema}

    assert "SPE002" in found(audit_of(tools=[tool("integer")]), "warn")
    assert "SPE002" in found(audit_of(tools=[tool("string")]), "note")


def test_what_a_call_that_breaks_the_schema_gets_back_may_be_for_machines() -> None:
    odd = [step("it is &lt;red&gt;")]
    for policy, status in (("malformed", False), ("random", True)):
        every = [*audit_of().every, episode(policy, 0.0, 0, steps=odd)]
        assert ("OBS009" in found(audit_of(every=every), "warn")) is status


@pytest.mark.parametrize(
    ("kind", "message", "why"),
    [
        ("timeout", "call 1: no reply after 30 s", "no reply was scored in time"),
        ("Refused", "the end of the episode: 422: env_id is missing", "in a different form"),
        ("Refused", "the end of the episode: 400: no move", ""),
    ],
)
def test_an_environment_that_never_scores_anything_is_not_judged(
    kind: str, message: str, why: str
) -> None:
    failed = {
        "end": "failed",
        "total": None,
        "steps": [],
        "failure": Failure(kind=kind, message=message),
    }
    every = [episode("noop", 0.0, i, **failed) for i in range(2)]
    evidence = audit_of(every=every)
    reply = GradedReply("t", "right", "right", "", "x", broke=f"{kind}: {message}")
    unscored = Graded(replies=(reply,))
    scored = Graded(replies=(replace(reply, paid=0.0),))
    for graded in (unscored, None):
        assert (
            (why in why_never_scored(graded, evidence))
            if why
            else not why_never_scored(graded, evidence)
        )
    assert not why_never_scored(scored, evidence)
    assert not why_never_scored(unscored, audit_of(every=[*every, episode("random", 0.0, 0)]))


def test_a_call_after_the_end_fails_only_if_it_is_paid() -> None:
    late = [*audit_of().every, episode("past_done", steps=[step(), step(done=False)])]
    assert "EPI003" in found(audit_of(every=late), "warn")
    paid = [*audit_of().every, episode("past_done", steps=[step(), step(reward=0.5)])]
    assert "EPI003" in found(audit_of(every=paid), "fail")


def why_skipped(evidence: Evidence, identity: str) -> str:
    return next(
        f.message for f in checks.run(evidence) if (f.check, f.status) == (identity, "skip")
    )


def test_who_loses_less_than_others_was_not_paid() -> None:
    unpaid = {name: 0.0 for name in (*PAID, *FILLED) if name != "oracle"}
    every = [episode(name, total, i) for name, total in unpaid.items() for i in range(2)]
    lost = [episode("random", -13.5, i) if t.model == "random" else t for i, t in enumerate(every)]
    assert found(audit_of(every=lost, solved=False), "note") == {"AUD004"}


def test_two_sessions_of_which_one_failed_tell_nothing_of_what_they_share() -> None:
    failed = {**oracle_episodes(steps=[step("Other.")])}
    failed["oracle"]["theirs/train/1/0"] = episode("oracle", 0.0, 1, end="failed", total=None)
    evidence = audit_of(together=failed)
    assert found(evidence, "warn") == {"AUD008"}
    assert "one of two sessions failed" in why_skipped(evidence, "AUD007")


def test_an_episode_that_differs_when_played_alone_tells_nothing_of_seeds_and_sessions() -> None:
    other = oracle_episodes(steps=[step("Other.", 1.0)])
    another = oracle_episodes(steps=[step("Another.", 1.0)])
    evidence = audit_of(again=other, together=another, reseeded=another)
    assert found(evidence, "warn", "fail") == {"AUD005"}
    assert "deterministic on its own" in why_skipped(evidence, "AUD007")
    assert "deterministic with its original seed" in why_skipped(evidence, "AUD006")


def test_a_script_that_fails_alone_is_not_blamed_on_a_second_session() -> None:
    broken = [
        episode(t.model, 0.0, t.index or 0, end="failed", total=None, steps=[])
        if t.model == "random" else t
        for t in audit_of().every
    ]  # fmt: skip
    together = by_label([t for t in broken if t.model == "random"])
    evidence = audit_of(every=broken, together=together)
    assert "AUD008" not in found(evidence, "warn")
    assert "also fail in one" in why_skipped(evidence, "AUD008")


def test_episodes_of_one_task_and_seed_open_alike_but_for_their_ids() -> None:
    def opened(identity: str, side: str) -> Evidence:
        prompt = [{"role": "user", "content": f"Game {identity}: you are {side}."}]
        every = [
            t.model_copy(update={"prompt": prompt}) if t.model == "noop" else
            t.model_copy(update={"prompt": [{"role": "user", "content": "Game of-others: you are white."}]})
            for t in audit_of().every
        ]  # fmt: skip
        again = by_label([t for t in every if t.model in ("oracle", "random")])
        seen = {(t.model, t.label): {"rewarded": 1, "states": [state("of-others")]} for t in every}
        seen |= {
            key: {"rewarded": 1, "states": [state(identity)]} for key in seen if key[0] == "noop"
        }
        return audit_of(every=every, again=again, together=again, seen=seen)

    def state(identity: str) -> dict[str, object]:
        return {"episode_id": identity, "asked": identity, "step_count": 0}

    assert not found(opened("of-noop-alone", "white"), "warn", "fail")
    assert found(opened("of-noop-alone", "black"), "warn", "fail") == {"AUD005"}


def test_a_replay_that_pays_the_same_at_other_steps_is_told_as_that() -> None:
    halves = [step(reward=0.5, done=False), step(reward=0.5)]
    other = oracle_episodes(steps=halves, total=1.0 - 1e-12)  # as it is added up
    reported = next(f for f in checks.run(audit_of(again=other)) if f.check == "AUD005")
    assert reported.status == "fail"
    assert "the return was 1 both times" in reported.message


def test_a_second_reset_in_one_session_opens_as_the_first() -> None:
    same = with_seen(reopened=[{"role": "user", "content": "Guess a word."}])
    assert not found(same, "warn", "fail")
    other = with_seen(reopened=[{"role": "user", "content": "Guess another word."}])
    assert found(other, "warn", "fail") == {"AUD005"}


def test_a_solution_that_a_replay_pays_otherwise_is_not_blamed_for_its_pay() -> None:
    less = [
        episode("oracle", 0.2, t.index or 0) if t.model == "oracle" else t for t in audit_of().every
    ]
    evidence = audit_of(every=less, again=oracle_episodes())
    ranged = evidence.declaration.model_copy(update={"reward_range": (0.0, 1.0)})
    assert found(replace(evidence, declaration=ranged), "fail") == {"AUD005"}
    ranged = replace(audit_of(every=less, again={}, together={}), declaration=ranged)
    assert found(ranged, "fail") == {"REW002"}


def test_a_word_of_the_prompt_is_no_solution_within_another_word() -> None:
    assert "AUD013" not in found(solved_by("Many cranes.", word="crane"), "warn")
    assert "AUD013" in found(solved_by("Many: crane.", word="crane"), "warn")


def test_a_solution_is_on_show_only_if_all_that_it_says_is() -> None:
    shown = "The answer is 'see you', to the letter of Ada."
    assert "AUD013" not in found(solved_by(shown, body="see you", letter="0057"), "warn")
    assert "AUD013" in found(solved_by(shown, body="see you", letter="Ada"), "warn")


@over(
    ("asked", "value", "stated"),
    [
        ("What does the chain ethereum cost?", "ethereum", False),
        ("Which chain is ethereum?", "ethereum", False),
        ("Reply 'see you' to Ada.", "see you", False),
        ("The secret word is `ethereum`. Guess it.", "ethereum", True),
        ("Which chain is it?\nAnswer: ethereum", "ethereum", True),
    ],
)
def test_what_a_request_names_is_no_solution_on_show(asked: str, value: str, stated: bool) -> None:
    assert ("AUD013" in found(solved_by(asked, word=value), "warn")) == stated


@over(
    ("paid", "level", "why", "verdict"),
    [
        (
            {},
            "warn",
            "probably this is not a solution; otherwise the reward is constant",
            "not judged",
        ),
        ({"random": 0.5}, "warn", "others earned more, so this is not a solution", "not judged"),
        (dict.fromkeys(PAID, 1.0), "fail", "on all 2 tasks", "not sound"),
    ],
)
def test_a_solution_that_earns_nothing_is_doubted_before_the_reward(
    paid: dict[str, float], level: str, why: str, verdict: str
) -> None:
    evidence = audit_of({**dict.fromkeys(PAID, 0.0), **paid})
    seen = checks.run(evidence)
    (reported,) = [each for each in seen if each.check == "REW003"]
    assert (reported.status, reported.message.endswith(why)) == (level, True), reported
    assert make_report(evidence, seen).verdict == verdict


def solved_by(prompt: str, **arguments: str) -> Evidence:
    """An audit whose oracle calls with these arguments."""
    opened = {"prompt": [{"role": "user", "content": prompt}]}
    solved = opened | {"steps": [step(reward=1.0) | {"arguments": arguments}]}
    every = [
        episode(t.model, t.total, t.index or 0, **(solved if t.model == "oracle" else opened))
        for t in audit_of().every
        if t.model != "noop"
    ]
    again = by_label([t for t in every if t.model == "oracle"])
    return audit_of(every=every, again=again, together=again)


def test_an_answer_in_the_state_is_noted() -> None:
    evidence = with_seen(answers_in_state=["expected_answer"])
    assert found(evidence, "note", "warn", "fail") == {"AUD013"}
    (reported,) = [f for f in checks.run(evidence) if f.check == "AUD013"]
    assert reported.status == "note"
    assert "expected_answer" in reported.message


def test_what_no_call_and_no_end_can_show_is_skipped() -> None:
    refused = step(done=False) | {"error": "refused"}
    every = [
        episode(t.model, 0.0, t.index or 0, steps=[refused] * bool(t.steps), end="stopped")
        for t in audit_of().every
        if t.model != "oracle"
    ]
    every.append(episode("past_done", steps=[refused], end="stopped"))
    evidence = audit_of(every=every)
    assert "no call was accepted" in why_skipped(evidence, "AUD003")
    assert "no call was accepted" in why_skipped(evidence, "AUD014")
    assert "no policy called a tool after the end" in why_skipped(evidence, "EPI003")


def with_found(evidence: Evidence, **found: object) -> Evidence:
    audited = evidence.audit.audited
    return replace(
        evidence,
        audit=replace(evidence.audit, audited=replace(audited, found={**audited.found, **found})),
    )


def test_a_limit_that_was_not_reached_ends_episodes_all_the_same() -> None:
    evidence = WARNED["AUD014"]()
    assert "AUD014" in found(with_found(evidence, max_turns=1), "note")
    assert "the environment's limit of 500 calls" in why_skipped(
        with_found(evidence, max_turns=500), "AUD014"
    )


def test_an_environment_without_rewards_is_not_judged_and_has_not_failed() -> None:
    every = [
        episode(t.model, index=t.index or 0, total=None, end="stopped", steps=[step(done=False)])
        for t in audit_of().every
        if t.model != "oracle"
    ]
    again = by_label([t for t in every if t.model == "random"])
    evidence = audit_of(every=every, again=again, together=again, reseeded={}, solved=False)
    evidence = with_found(evidence, rewardless=True)
    findings = checks.run(evidence)
    assert not [f for f in findings if f.status not in ("pass", "skip")]
    report = make_report(evidence, findings)
    assert (report.verdict, len(report.unjudged)) == ("not judged", 1)
    assert "which are missing here" in report.unjudged[0]
    assert {variant.failed for variant in report.variants} == {0}


def test_one_call_that_breaks_an_episode_hides_nothing_of_the_others() -> None:
    broken = [*FAILS["AUD001"]().every, episode("random", 0.0, 7, end="failed", total=None)]
    assert found(audit_of(every=broken), "fail") == {"AUD001", "EPI001"}


def test_where_every_episode_fails_only_that_is_told() -> None:
    broken = [
        episode(t.model, 0.0, t.index or 0, end="failed", total=None) for t in audit_of().every
    ]
    evidence = audit_of(every=broken)
    assert found(evidence, "fail", "warn", "note") == {"EPI001"}
    assert why_skipped(evidence, "AUD005") == "after EPI001, which failed"


def test_a_call_that_the_state_counts_after_the_end_is_a_warning() -> None:
    counted = step() | {"error": "counted"}
    late = [*audit_of().every, episode("past_done", steps=[step(), counted])]
    (reported,) = [f for f in checks.run(audit_of(every=late)) if f.check == "EPI003"]
    assert (reported.status, "counted as a step in the state" in reported.message) == ("warn", True)
    refused = step() | {"error": "episode_over"}
    late = [*audit_of().every, episode("past_done", steps=[step(), refused])]
    assert "EPI003" in found(audit_of(every=late), "pass")


def test_what_a_second_answer_earns_is_no_measure_of_anybody_else() -> None:
    paid = dict.fromkeys(FILLED, 1.0) | {"malformed": 1.0}
    every = [
        *audit_of(paid).every,
        episode("second_answer", steps=[step(), step(reward=2.0)], total=2.0),
    ]
    assert found(audit_of(every=every), "fail") == {"AUD001", "EPI003"}


def paid_by_call(word: str, reward: float = 0.1, solved: bool = False) -> Evidence:
    """An audit in which each of ten calls of a random player says a word, and is paid."""
    calls = [step(done=False, reward=reward) | {"arguments": {"word": word}} for _ in range(10)]
    every = [
        episode(t.model, t.total, t.index or 0)
        for t in audit_of().every
        if t.model not in ("oracle", "random")
    ]
    every += [episode("random", 10 * reward, i, steps=calls, end="stopped") for i in range(3)]
    again = by_label([t for t in every if t.model == "random"])
    return audit_of(every=every, again=again, together=again, reseeded={}, solved=solved)


def test_an_invented_word_that_is_paid_each_time_is_pay_for_anything() -> None:
    assert found(paid_by_call("okmmn"), "fail") == {"AUD001"}


@pytest.mark.parametrize(
    "evidence",
    [
        paid_by_call("okmmn", reward=0.0),
        paid_by_call("okmmn", solved=True),
        paid_by_call("guess"),  # it stands in the tool's description
        paid_by_call("Word 7"),
    ],
    ids=["unpaid", "a solution may earn more", "a word that was shown", "a sentence"],
)
def test_a_call_that_may_mean_something_may_be_paid_each_time(evidence: Evidence) -> None:
    assert "AUD001" not in found(evidence, "fail")


def test_a_state_with_two_defects_shows_both() -> None:
    states = [{"episode_id": "b", "step_count": 3, "asked": "a"}]
    reported = [f.message for f in checks.run(with_seen(states=states)) if f.check == "AUD011"]
    assert len(reported) == 2
    assert "the state has 'b'" in reported[0]
    assert "after 0 steps the state counts 3" in reported[1]


def test_a_text_that_was_cut_is_told_by_its_own_length() -> None:
    (reported,) = [f for f in checks.run(with_seen(longest=90_000)) if f.check == "AUD012"]
    assert reported.message.endswith("a text of 90000 characters, of which the audit kept 20000")


def test_an_audit_speaks_of_what_its_reader_can_mend() -> None:
    broken = audit_of(
        every=[*audit_of().every, episode("random", 0.0, 7, end="failed", total=None)]
    )
    (reported,) = [f for f in checks.run(broken) if f.check == "EPI001"]
    assert "InvalidAction" not in reported.fix
    ours = replace(broken, audit=replace(broken.audit, audited=None))
    assert "InvalidAction" in next(f.fix for f in checks.run(ours) if f.check == "EPI001")
    assert "this is an audit" in why_skipped(broken, "REW011")


@over(
    ("reason", "fix"),
    [
        ("ModuleNotFoundError: No module named 'pyspiel'", "--requirement"),
        ("OfflineModeIsEnabled: Cannot reach https://huggingface.co", "a machine that reaches"),
        ("FileNotFoundError: data/words.csv", "run the script that makes the missing file"),
        ("KeyError: 'WORDS_FOLDER'", "environment variable"),
        ("ValueError: 3 is not even", "fix the exception"),
    ],
)
def test_what_does_not_start_is_not_judged_and_the_fix_follows_from_the_reason(
    reason: str, fix: str
) -> None:
    good = audit_of()
    unreached = replace(
        good,
        variants=replace(good.variants, broken={"openenv": reason}),
        audit=replace(good.audit, audited=replace(good.audit.audited, broken=f"Log:\n{reason}")),
    )
    found = checks.run(unreached)
    (reported,) = [each for each in found if each.check == "PAR001"]
    assert reported.status == "note"
    assert fix in reported.fix
    report = make_report(unreached, found)
    assert report.verdict == "not judged"
    assert report.unjudged == [f"an environment that starts and replies: {reason}"]


SHOWING = [identity for identity in {**FAILS, **WARNED} if identity not in ("AUD009", "AUD010")]
"""Checks of audits that rest on episodes."""


@over("identity", SHOWING)
def test_what_rests_on_an_episode_of_an_audit_shows_it(identity: str) -> None:
    reported = [
        each
        for each in checks.run({**FAILS, **WARNED}[identity]())
        if each.check == identity and not each.message.startswith("and ")
    ]
    assert reported
    assert all(each.shown is not None and each.place.task for each in reported)


def test_what_an_audit_says_of_a_tool_names_it() -> None:
    (reported,) = [f for f in checks.run(FAILS["AUD009"]()) if f.check == "AUD009"]
    assert reported.place.tool == "guess"


def test_an_environment_is_not_blamed_for_a_machine_without_network() -> None:
    def seen(message: str) -> tuple[str, str]:
        failed = {"end": "failed", "total": None, "failure": Failure(kind="http", message=message)}
        failure = SeenEpisode(trajectory=episode("noop", 0.0, 0, **failed)).trajectory.failure
        assert failure
        return failure.kind, failure.message

    offline = "/verify answers 500: gaierror(-2, 'Name or service not known')"
    assert seen(offline) == ("lacking", f"the network: {offline}")
    assert seen("/verify answers 500: KeyError('move')")[0] == "http"
