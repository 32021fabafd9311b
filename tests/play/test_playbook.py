"""Scripts of the policies: what chance draws from."""

from __future__ import annotations

from pathlib import Path

import pytest

from skill_tools.errors import DomainError
from skill_tools.frameworks.rules import load
from skill_tools.pipeline.bare_runs import play_domain
from skill_tools.reference.playbook import write_scripts
from tests.conftest import write_counter

LEGAL = """\
    def valid_calls(self):
        left = self.target - self.value
        return [("add", {"amount": each}) for each in range(1, 10) if each <= left]

    def look(self):"""


@pytest.mark.everything("checks")
def test_the_random_policy_is_a_legal_player_where_the_domain_offers_its_calls(
    tmp_path: Path,
) -> None:
    folder = write_counter(tmp_path / "counter", game=("    def look(self):", LEGAL))
    played = play_domain(load(folder), folder, count=6).reference.episodes["random"].values()
    steps = [step for trajectory in played for step in trajectory.steps]
    assert {step.tool for step in steps} == {"add"}
    assert {step.error for step in steps} == {None}
    assert len({tuple(step.arguments["amount"] for step in t.steps) for t in played}) > 1


def test_a_legal_player_is_the_same_each_time(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "counter", game=("    def look(self):", LEGAL))
    first, again = (write_scripts(load(folder), folder, None, 3).scripts for _ in range(2))
    assert first == again


def test_without_offered_calls_the_schemas_are_drawn_from(counter: Path) -> None:
    scripts = write_scripts(load(counter), counter, None, 6).scripts["random"].values()
    assert {call.tool for script in scripts for turn in script for call in turn.calls} == {
        "add",
        "look",
    }


def test_a_valid_calls_that_raises_is_named(tmp_path: Path) -> None:
    broken = LEGAL.replace("left = self.target", "left = 1 / 0")
    folder = write_counter(tmp_path / "counter", game=("    def look(self):", broken))
    with pytest.raises(DomainError, match=r"valid_calls\(\) on train/0 failed: game.py:\d+"):
        write_scripts(load(folder), folder, None, 1)


@pytest.mark.everything("checks")
def test_the_limit_of_free_refusals_is_reached_and_played_past(tmp_path: Path) -> None:
    free = ("max_turns: 6", "max_turns: 6, refusals: free, max_refusals: 3")
    folder = write_counter(tmp_path / "counter", env=free)
    played = play_domain(load(folder), folder, count=1).reference.episodes["turn_limit"]
    (trajectory,) = played.values()
    errors = [step.error for step in trajectory.steps]
    assert errors == ["invalid_arguments"] * 3 + ["episode_over"] * (len(errors) - 3)
    assert trajectory.end == "truncated"
    assert len(errors) > 3
