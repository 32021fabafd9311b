"""What limits the probes: CPU time and a floor, so that a busy machine sees as much as an idle one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from skill_tools.checks import run
from skill_tools.evidence.evidence import Evidence
from skill_tools.frameworks.rules import load
from skill_tools.pipeline.bare_runs import play_domain
from skill_tools.probes import exploration
from skill_tools.reference.process import Query, one
from skill_tools.report.gate import read_gate, rule
from skill_tools.report.outcome import judge
from tests.checks.broken import FILES
from tests.checks.exploited import probed
from tests.checks.played import evidence_of
from tests.conftest import write_counter

WORK = """        self.value = 0
        import time
        until = time.process_time() + 0.04
        while time.process_time() < until: pass"""
"""The begin of an episode that computes for 40 ms."""
WAITS = "        self.value = 0\n        __import__('time').sleep(0.4)"
ADD: list[tuple[str, Any]] = [("add", {"amount": 1})]


def tried(folder: Path, count: int, **limit: float) -> list[bool]:
    """Whether each of some trials was played within limits."""
    trials = [{"split": "train", "index": 0, "seed": None, "calls": ADD}] * count
    asked = {"trials": trials, "max_turns": 6, "limit": limit}
    found = one(load(folder), folder, Query("try", "trying", asked))
    return [each is not None for each in found]


def test_the_first_trials_are_played_whatever_they_take(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "slow", game=("        self.value = 0", WORK))
    assert tried(folder, 3, seconds=0.02, wall=9) == [True, False, False]
    assert tried(folder, 4, seconds=0.02, wall=9, floor=2) == [True, True, False, False]
    # There is an end to patience, too: ten times the limit.
    assert 1 < sum(tried(folder, 40, seconds=0.02, wall=9, floor=40)) < 9


@pytest.mark.everything("costly")
def test_a_job_of_many_parts_hangs_only_if_one_of_them_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SKILL_TOOLS_DOMAIN_SECONDS", "2")
    folder = write_counter(tmp_path / "waits", game=("        self.value = 0", WAITS))
    assert all(tried(folder, 8, seconds=9, wall=9))


@pytest.mark.everything("checks")
def test_a_raised_limit_gives_the_first_trials_of_every_probe_their_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exploration, "SECONDS", 0.001)
    folder = write_counter(tmp_path / "slow", game=("        self.value = 0", WORK))
    spec = load(folder)
    assert tried(folder, 9, seconds=0.001, wall=9, floor=9).count(True) == 1
    played = play_domain(spec, folder, count=2, exploring=False)
    episodes = played.reference.episodes
    counts: list[int] = []
    short = exploration.explore(spec, folder, played.playbook, episodes, counts.append)
    assert short
    assert short.untimed
    counts.clear()
    monkeypatch.setenv("SKILL_TOOLS_DOMAIN_SECONDS", "61")
    found = exploration.explore(spec, folder, played.playbook, episodes, counts.append)
    assert found
    assert not found.untimed
    tried_ones = sum(map(len, found.attempts.values()))
    assert 0 < tried_ones <= sum(counts)


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Evidence:
    folder = write_counter(tmp_path_factory.mktemp("counter") / "counter", **FILES)
    return evidence_of(folder, exploring=True)


@pytest.mark.everything("costly")
def test_a_check_without_time_leaves_the_verdict_incomplete(good: Evidence) -> None:
    assert judge(good).report.verdict == "sound"
    attempts = {k: v for k, v in good.probed.attempts.items() if k != "repeat"}
    late = probed(attempts=attempts, untimed=frozenset({"repeat"}))(good)
    (untimed, *_) = [each for each in run(late) if each.untimed]
    report = judge(late).report
    assert (report.ok, report.verdict, report.word) == (True, "incomplete", "incomplete")
    assert untimed.check in report.lacking[0]
    assert "SKILL_TOOLS_DOMAIN_SECONDS" in report.lacking[0]
    assert [each.name for each in rule(read_gate([]), report) if each.fails] == ["unjudged"]
    assert not [each for each in rule(read_gate(["never"]), report) if each.fails]
    # A probe that had nothing to try, or that died, is no matter of time.
    dead = probed(attempts=attempts, unanswered={"repeat": "it never ends"})(good)
    assert judge(dead).report.verdict != "incomplete"
    assert judge(replace(good, probed=None)).report.verdict == "sound"
