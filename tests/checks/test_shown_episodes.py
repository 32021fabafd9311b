"""A finding about an episode shows it, and a check that saw nothing says so: rewards, tasks, seeds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from skill_tools import checks
from skill_tools.checks import CHECKS, Finding, needs
from skill_tools.checks.engine import MOST
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.probes import PROBES
from skill_tools.frameworks.rules import load
from skill_tools.reference.replay import play_again
from skill_tools.report.storage.replays import first_difference
from tests.conftest import write_counter
from tests.over import over
from tests.selection import few

from .broken import FILES
from .exploited import EXPLORED, probed
from .played import evidence_of

FAMILIES = ("REW", "TAS", "DET", "EXA")
NO_EPISODE = {
    "REW019",
    "DET005",
    "TAS001",
    "TAS002",
    "TAS004",
    "TAS005",
    "TAS006",
    "TAS007",
    "TAS008",
    "REW027",
    "REW028",
    "REW030",
}
"""What the oracle gave no calls for, what tasks are, what is said of a best, and means: no episode shows them."""
KEPT_BY_PROBES = {"REW008", "REW009", "REW021"}
"""Whose episodes only a probe that was played has."""
OURS = [name for name in CHECKS if name.startswith(FAMILIES)]
EDITED = [name for name in OURS if name in EXPLORED and name not in NO_EPISODE | KEPT_BY_PROBES]
OTHERS = [each for each in vars(needs).values() if isinstance(each, needs.Need)]
"""Of which two have a probe's name."""
PROBING = {
    name: probes[0]
    for name in OURS
    if (probes := [need.name for need in CHECKS[name].needs if need not in OTHERS])
}
"""The first probe that each check needs."""


def reported(evidence: Evidence, identity: str) -> list[Finding]:
    found = [f for f in checks.run(evidence) if f.check == identity][:MOST]
    assert found
    assert {f.status for f in found} <= {"fail", "warn", "note"}
    return found


@pytest.mark.everything("costly")
@over("identity", EDITED, few=4, part="checks")
def test_what_was_tried_is_shown_with_its_task(identity: str, good: Evidence) -> None:
    for finding in reported(EXPLORED[identity][0](good), identity):
        assert finding.shown is not None
        assert finding.place.task or finding.place.tool


@pytest.mark.everything("costly")
@pytest.mark.parametrize(
    "identity",
    few([n for n in FILES if n.startswith(FAMILIES) and n not in NO_EPISODE], 2, "checks"),
)
def test_what_was_played_is_shown(identity: str, tmp_path: Path) -> None:
    evidence = evidence_of(write_counter(tmp_path / "counter", **FILES[identity]))
    assert all(f.shown for f in reported(evidence, identity))


@pytest.mark.everything("costly")
@pytest.mark.parametrize(
    ("identity", "paid"),
    few(
        [
            ("REW008", "0.5 if self.word == 'zebra' else 1.0"),
            ("REW009", "0.5 if self.other and self.word != 'zebra' else 1.0"),
        ],
        1,
        "checks",
    ),
)
def test_a_task_or_a_seed_that_falls_short_elsewhere_is_played_again_as_it_was(
    identity: str, paid: str, tmp_path: Path
) -> None:
    begin = "        self.value = 0\n"
    game = [
        (begin, f"{begin}        self.other = seed > 12\n"),
        ("self.reward = 1.0", f"self.reward = {paid}"),
    ]
    folder = write_counter(tmp_path / "counter", game=game)
    finding = reported(evidence_of(folder, exploring=True), identity)[0]
    assert finding.shown
    assert finding.shown.total == 0.5
    again = play_again(load(folder), folder, finding.shown)
    assert first_difference(again, []) == ""


@pytest.mark.everything("costly")
@over("identity", PROBING, few=5, part="checks")
def test_a_check_of_what_nobody_tried_or_answered_is_skipped(identity: str, good: Evidence) -> None:
    def skipped(evidence: Evidence) -> str:
        (finding,) = (f for f in checks.run(evidence) if f.check == identity)
        assert finding.status == "skip"
        return finding.message

    name = PROBING[identity]
    nothing = probed(attempts={}, answered=frozenset())(good)
    assert skipped(nothing) == PROBES[name].absent
    died = probed(attempts={}, answered=frozenset(), unanswered={name: "it never ends"})(good)
    assert skipped(died) == "no answer: it never ends"
    late = probed(attempts={}, answered=frozenset(), untimed=frozenset({name}))(good)
    assert skipped(late) == needs.UNTIMED
    assert skipped(replace(good, probed=None)) == needs.PROBED.reason


def test_attempts_that_all_failed_tell_nothing(good: Evidence) -> None:
    several = [
        replace(each, trajectory=each.trajectory.model_copy(update={"total": None}))
        for each in good.probed.attempts["repeat"]
    ]
    failing = probed(attempts={**good.probed.attempts, "repeat": several})(good)
    found = {f.check: f for f in checks.run(failing)}
    assert (found["REW012"].status, found["REW012"].message) == ("skip", "no attempt has a return")


def test_other_seeds_that_all_fail_are_no_answer(good: Evidence) -> None:
    failed = {
        label: each.model_copy(update={"end": "failed", "total": None})
        for label, each in good.reference.reseeded.items()
    }
    (hit,) = CHECKS["DET002"].find(
        replace(good, reference=replace(good.reference, reseeded=failed))
    )
    assert hit.level == "skip"
    assert hit.message.startswith("no answer: ")


@pytest.mark.everything("checks")
def test_no_check_is_content_with_any_probe_where_it_rests_on_some() -> None:
    assert not [name for name in OURS if needs.PROBED in CHECKS[name].needs]
