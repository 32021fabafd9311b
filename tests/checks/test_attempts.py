"""What breaks in an attempt of any probe, or never answers, is told once, and rules that rest on it are skipped."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from skill_tools import checks
from skill_tools.checks import CHECKS, Finding
from skill_tools.checks.needs import SURVEY
from skill_tools.checks.rules.episodes.boundaries import MODELS_AT_FAULT
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.probed import Attempt, Probed
from skill_tools.evidence.probes import PROBES
from tests.conftest import write_counter
from tests.over import over

from .exploited import BROKE, EXPLORED, declared, oracle, probed
from .played import evidence_of
from .test_checks import EDITS

MINE = ("EPI", "RES", "AUD", "CON", "PAR", "REN", "SPE")
"""Families of episodes, resources, audits, the contract, variants, files and the spec."""
AS_A_WHOLE = list(PROBES)[list(PROBES).index("survey") :]
"""Probes that bring no single attempts."""
CHANGED = {"place": 0, "tool": "add", "seconds": 1.0, "solution_of": "x", "turned": "order"}
"""What rules read of an attempt's change, of every probe."""
MOVED = [
    ("        self.reward = 0.0\n", "        self.reward = 0.0\n        self.moves = []\n"),
    (
        "        self.value += amount\n",
        "        self.value += amount\n        self.moves.append(amount)\n",
    ),
]
BETWEEN = "self.moves[:4] == [9, 'look', 9, 'look']"


def of(evidence: Evidence) -> dict[str, list[Finding]]:
    """The findings, by check."""
    found: dict[str, list[Finding]] = {}
    for each in checks.run(evidence):
        found.setdefault(each.check, []).append(each)
    return found


def looking(folder: Path, line: str) -> Path:
    """The counter whose look does something when it comes between the calls of a solution."""
    head = "    def look(self):\n"
    more = f"{head}        self.moves.append('look')\n        {line}\n"
    return write_counter(folder, game=[*MOVED, (head, more)])


@pytest.mark.everything("checks")
def test_a_domain_that_breaks_only_between_two_looks_is_told_of_with_the_episode(
    tmp_path: Path,
) -> None:
    evidence = evidence_of(looking(tmp_path / "counter", f"assert not {BETWEEN}"), exploring=True)
    failed = [f for several in of(evidence).values() for f in several if f.status == "fail"]
    assert {f.check for f in failed} == {"EPI007"}
    assert failed[0].shown.model == "look-between"
    assert failed[0].place.tool
    assert "look-between" in failed[0].message
    assert "AssertionError" in failed[0].message


@pytest.mark.everything("mutants")
def test_a_domain_that_hangs_in_one_attempt_is_told_of_and_passes_nothing_that_rests_on_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = looking(tmp_path / "counter", f"while {BETWEEN}: __import__('time').sleep(0.1)")
    monkeypatch.setenv("SKILL_TOOLS_DOMAIN_SECONDS", "12")
    found = of(evidence_of(folder, exploring=True))
    (reported,) = [f for f in found["EPI007"] if f.status == "fail"]
    assert "game.py:" in reported.message
    assert "look-between" in reported.message


@over(
    "name",
    [name for name in PROBES if name not in (*AS_A_WHOLE, *MODELS_AT_FAULT)],
    few=6,
    part="checks",
)
def test_what_fails_in_an_attempt_of_any_probe_is_told(name: str, good: Evidence) -> None:
    first = oracle(good)[0]
    broken = first.model_copy(
        update={"end": "failed", "failure": BROKE, "total": None, "model": name}
    )
    one = Attempt(name, "what was changed", first.label, broken, CHANGED, compared=first)
    reported = of(probed(attempts={name: [one]})(good))["EPI007"]
    assert [(f.status, f.shown) for f in reported] == [("fail", broken)]
    assert name in reported[0].message
    assert "what was changed" in reported[0].message


@pytest.mark.everything("checks")
def test_each_cause_is_told_before_the_same_again(good: Evidence) -> None:
    first = oracle(good)[0]

    def failing(why: str) -> Attempt:
        failure = BROKE.model_copy(update={"message": why})
        changes = {"end": "failed", "failure": failure, "total": None}
        return Attempt("luck", "random", first.label, first.model_copy(update=changes))

    several = [*(failing("a") for _ in range(30)), failing("b")]
    reported = of(probed(attempts={"luck": several})(good))["EPI007"]
    assert [f.message[-3:] for f in reported[:3]] == [": a", ": b", ": a"]


@pytest.mark.everything("costly")
def test_where_every_probe_died_one_check_fails_and_the_others_say_that_there_was_no_answer(
    good: Evidence,
) -> None:
    causes = dict.fromkeys([*good.probed.attempts, "soak"], "it did not end")
    found = of(replace(good, probed=Probed(unanswered=causes)))
    assert [f.status for f in found["EPI007"]] == ["fail"]
    assert found["EPI007"][0].message.startswith("it did not end (not examined: ")
    said = {name: (one.status, one.message) for name, (one, *_) in found.items()}
    assert said["REW016"] == ("skip", "no answer: it did not end")
    assert said["EPI009"] == ("skip", "the world ended no episode of this probe")
    assert said["RES001"] == ("skip", "no attempt had a result")
    nothing = of(replace(good, probed=Probed()))
    for identity in ("EPI007", "EPI009", "RES001", "REW016"):
        (one,) = nothing[identity]
        assert (one.status, one.message) == ("skip", "no probe could run")


@pytest.mark.everything("costly")
@over("name", PROBES, few=8, part="checks")
def test_a_probe_that_died_is_told_by_one_check_and_fails_no_other(
    name: str, good: Evidence
) -> None:
    kept = {k: v for k, v in good.probed.attempts.items() if k != name}
    died = replace(
        good.probed,
        attempts=kept,
        unanswered={name: "it did not end"},
        answered=good.probed.answered - {name},
        **({"endured": None} if name == "soak" else {}),
        **({"opened": []} if name == "survey" else {}),
    )
    found = of(replace(good, probed=died))
    reported_by = {"survey": "EPI006", "soak": "RES002"}.get(name, "EPI007")
    telling = {k for k, several in found.items() if any(f.status == "fail" for f in several)}
    assert telling == (set() if name == "coverage" else {reported_by})
    rest = [
        each.id
        for each in CHECKS.values()
        if each.family in MINE
        and any(need.name == name and need is not SURVEY for need in each.needs)
    ]
    for identity in rest:
        (one,) = found[identity]
        assert one.status == "skip"
        assert one.message in (
            "no answer: it did not end",
            "no sandbox is used",
            PROBES["unlisted-other"].absent,
            f"after {reported_by}, which failed",
        )


@pytest.mark.everything("costly")
def test_without_any_attempt_rules_over_attempts_are_skipped_with_the_reason(
    good: Evidence,
) -> None:
    found = of(replace(good, probed=Probed()))
    resting = [
        *("EPI006", "EPI007", "EPI008", "EPI009", "EPI011", "EPI013", "CON008", "CON011"),
        *("RES001", "RES002", "RES003", "RES004", "RES006", "RES007", "RES008"),
    ]
    reported = {identity: found[identity][0] for identity in resting}
    assert {identity for identity, one in reported.items() if one.status != "skip"} == set()
    assert all(len(one.message.split()) >= 3 for one in reported.values())


SHOWING = [
    *("EPI007", "EPI008", "EPI009", "EPI010", "EPI011", "EPI012", "RES001", "RES004", "RES005"),
    *("EPI003", "EPI004", "PAR002", "PAR003", "PAR004", "PAR005", "PAR006"),
    "PAR007",
]


@pytest.mark.everything("costly")
@over("identity", SHOWING)
def test_what_rests_on_an_episode_shows_it_and_says_the_task(identity: str, good: Evidence) -> None:
    edit = EDITS[identity] if identity in EDITS else EXPLORED[identity][0]
    reported = [f for f in of(edit(good))[identity] if not f.message.startswith("and ")]
    assert reported
    assert all(each.shown is not None and each.place.task for each in reported)


@pytest.mark.everything("checks")
def test_one_answer_for_all_is_only_a_warning_if_luck_decides(good: Evidence) -> None:
    alike, _ = EXPLORED["TAS003"]
    (sure,) = [f for f in of(alike(good))["TAS003"] if f.status != "note"]
    (lucky,) = [f for f in of(declared(best="luck")(alike(good)))["TAS003"] if f.status != "note"]
    assert (sure.status, lucky.status) == ("fail", "warn")
