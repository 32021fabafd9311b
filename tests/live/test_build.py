"""The product: one domain, the same environment in every framework."""

from __future__ import annotations

import gzip
import re
import shutil
from pathlib import Path

import pytest

from skill_tools import pipeline
from skill_tools.evidence.evidence import POLICIES
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.frameworks.rules import load
from skill_tools.pipeline import bare_runs
from skill_tools.policies.scripted import Call, Turn
from skill_tools.reference.playbook import write_scripts
from skill_tools.render import text_actions
from tests.conftest import write_counter
from tests.live.frameworks import FRAMEWORKS
from tests.reports import unwanted
from tests.selection import some

from .rolled import roll


def test_every_framework_is_green(built: pipeline.Outcome) -> None:
    # Built while variables for rollouts by hand were set: they do not change what is checked.
    failed = unwanted(built.report)
    assert not failed
    assert built.report.tasks >= 10
    assert set(built.evidence.variants.rollouts) == set(FRAMEWORKS)


@pytest.mark.parametrize("policy", POLICIES)
def test_every_policy_sees_and_earns_the_same_everywhere(
    built: pipeline.Outcome, policy: str
) -> None:
    # Compared here by hand, so that a mistake in the parity checks cannot hide a difference.
    bare = built.evidence.reference.episodes[policy]
    assert len(bare) >= 10
    for framework, played in built.evidence.variants.rollouts.items():
        assert set(played[policy]) == set(bare), framework
        for label, trajectory in played[policy].items():
            shown = [message["content"] for message in trajectory.prompt]
            expected = [message["content"] for message in bare[label].prompt]
            if FRAMEWORKS[framework].actions == "text":
                system, user = expected
                reported = text_actions.instructions(built.evidence.spec)
                assert "\n\n".join(shown) == f"{system.rstrip()}\n\n{reported}\n\n{user}"
            else:
                assert shown == expected
            assert trajectory.steps == bare[label].steps, (framework, label)
            assert (trajectory.end, trajectory.total) == (bare[label].end, bare[label].total)


def test_policies_end_as_they_are_meant_to(built: pipeline.Outcome) -> None:
    for played in built.evidence.variants.rollouts.values():
        assert {t.end for t in played["oracle"].values()} == {"terminated"}
        assert {t.total for t in played["oracle"].values()} == {1.0}
        assert {t.end for t in played["noop"].values()} == {"stopped"}
        assert {t.end for t in played["early_stop"].values()} == {"stopped"}
        assert {t.end for t in played["turn_limit"].values()} == {"truncated"}
        for trajectory in played["past_done"].values():
            assert [step.error for step in trajectory.steps[-2:]] == ["episode_over"] * 2
        errors = {s.error for t in played["malformed"].values() for s in t.steps}
        assert {"unknown_tool", "invalid_arguments"} <= errors


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(["gem"], id="one"),
        pytest.param([*FRAMEWORKS], id="all", marks=pytest.mark.everything("frameworks")),
    ],
)
def test_a_reward_paid_at_the_end_is_paid_however_an_episode_ends(
    names: list[str], tmp_path: Path
) -> None:
    finish = "    def finish(self):\n        self.reward = self.value / self.target\n\n"
    folder = write_counter(
        tmp_path / "counter",
        game=[("            self.reward = 1.0\n", ""), ("    def look(", finish + "    def look(")],
        env=("episode:", "reward: {timing: post_episode}\nepisode:"),
    )
    found = pipeline.build(folder, names, count=4)
    # Half the way earns half: so other tasks' solutions and chance earn much here, which warns.
    assert [f for f in unwanted(found.report) if f.status != "warn"] == []
    assert set(found.evidence.variants.rollouts) == set(names)
    for played in found.evidence.variants.rollouts.values():
        half_way = [t for t in played["early_stop"].values() if t.steps]
        assert half_way
        assert all(0 < t.final_reward < 1 for t in half_way)
        assert all(t.steps[-1].reward == 1.0 for t in played["oracle"].values())


def test_the_report_file_writes_out_an_episode(built: pipeline.Outcome) -> None:
    text = (built.evidence.folder / "runs" / "report.md").read_text("utf-8")
    assert re.search(r"^## The oracle on \w+/train/0/\d+ in OpenEnv$", text, re.MULTILINE)
    assert "End: terminated, return 1.0" in text
    for framework in FRAMEWORKS:
        kept = built.evidence.folder / "runs" / f"{framework}.jsonl.gz"
        lines = gzip.decompress(kept.read_bytes()).splitlines()
        assert len(lines) == 10 * len(POLICIES)


def test_a_reward_changed_by_hand_in_one_variant_is_caught(own_game: Path) -> None:
    variant = own_game / "ors" / "server.py"
    text = variant.read_text("utf-8")
    assert "reward=_told(step)" in text
    halved = "reward=(_told(step) or 0.0) * 0.5"
    variant.write_text(text.replace("reward=_told(step)", halved), "utf-8")
    found = pipeline.validate(own_game, ["ors", "gem"], count=6)
    failed = [f for f in found.report.findings if f.status == "fail"]
    assert {f.check for f in failed} == {"REN001", "PAR005"}
    assert any("ors: oracle" in f.message for f in failed)
    assert not any("gem:" in f.message for f in failed)


HEAD = "def drop_piece(self, column: int) -> str:\n"
# Only in a rollout: the oracle, which solves the tasks beforehand, is to find nothing wrong.
FAULT = """\
        if 'rollout' in sys.argv[0] and column == 7 and not any(PLAYER in c for c in self.board):
            raise KeyError('lost')
"""


@pytest.fixture(scope="module", params=some(FRAMEWORKS, ["openenv", "gem"]))
def by_hand(
    request: pytest.FixtureRequest, game: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Trajectory]:
    """One rollout of a variant by hand, after the rules were edited: an episode per policy.

    The oracle wins; "breaks" begins with the move at which the edited rules break; "on" would make
    more moves than MAX_TURNS, which allows as many as the oracle needs, if they were allowed.
    """
    folder = Path(shutil.copytree(game, tmp_path_factory.mktemp("by_hand") / "connect_four"))
    rules = folder / "game.py"
    text = rules.read_text("utf-8")
    assert HEAD in text
    edited = text.replace("You dropped", "You let fall").replace(HEAD, HEAD + FAULT)
    tasks, scripts = write_scripts(load(folder), folder, None, 1)
    ((label, oracle),) = scripts["oracle"].items()
    assert oracle[0].calls[0].arguments != {"column": 7}
    rules.write_text("import sys\n" + edited, "utf-8")

    def moves(*columns: int) -> tuple[Turn, ...]:
        return tuple(Turn((Call("drop_piece", {"column": column}),)) for column in columns)

    played = roll(
        folder,
        request.param,
        {
            "oracle": {label: oracle},
            "breaks": {label: moves(7, 1)},
            "on": {label: moves(*[99] * (len(oracle) + 1))},
        },
        1,
        split=tasks.split,
        environment={"MAX_TURNS": str(len(oracle))},
    )
    return {trajectory.model: trajectory for trajectory in played}


def test_editing_a_rule_changes_a_variant_without_rendering(by_hand: dict[str, Trajectory]) -> None:
    assert by_hand["oracle"].steps[0].text.startswith("You let fall")
    assert by_hand["oracle"].total == 1.0


def test_a_domain_that_breaks_gives_a_failed_episode_and_no_score(
    by_hand: dict[str, Trajectory],
) -> None:
    assert (by_hand["breaks"].end, by_hand["breaks"].total) == ("failed", None)
    assert "drop_piece(): KeyError: 'lost'" in by_hand["breaks"].failure.message
    assert by_hand["oracle"].end == "terminated"


def test_max_turns_can_be_set_for_rollouts_by_hand(by_hand: dict[str, Trajectory]) -> None:
    most = len(by_hand["oracle"].steps)
    assert (by_hand["on"].end, len(by_hand["on"].steps)) == ("truncated", most)


@pytest.mark.everything("frameworks")
def test_where_episodes_are_expensive_variants_play_fewer_tasks_unless_told_how_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_counter(tmp_path / "counter")
    monkeypatch.setattr(bare_runs, "COSTLY", 1e-6)  # minutes, so that a counter is expensive
    found = pipeline.build(folder, ["gem"])
    assert found.report.ok
    assert len(found.evidence.variants.rollouts["gem"]["oracle"]) == bare_runs.FEWEST
    assert len(found.evidence.reference.episodes["oracle"]) == 10, (
        "the bare domain is played as always"
    )
    assert "the first 5 of 10 tasks were played, because all tasks would take" in found.report.seen
    assert "--num-tasks 10 plays them" in found.report.seen
    whole = pipeline.validate(folder, ["gem"], count=10)
    assert len(whole.evidence.variants.rollouts["gem"]["oracle"]) == 10
    assert whole.report.seen == ""


def test_a_quick_build_plays_few_tasks_in_the_variants_and_says_so(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "counter")
    found = pipeline.build(folder, ["gem"], quick=True)
    assert not unwanted(found.report)
    assert {len(each) for each in found.evidence.variants.rollouts["gem"].values()} == {3}
    assert len(found.evidence.reference.episodes["oracle"]) == 10
    assert found.report.seen.startswith("in the variants, the first 3 of 10 tasks were played")


def test_a_report_of_files_that_changed_meanwhile_is_not_green(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "counter")
    game = folder / "game.py"

    def edit(who: str, what: str) -> None:
        if what == "rolling out":  # in an editor, while it is played
            game.write_text(game.read_text("utf-8") + "\n# better words\n", "utf-8")

    found = pipeline.build(folder, ["gem"], quick=True, progress=edit)
    assert not found.failures
    assert not found.report.ok
    told = "game.py changed during the run, so the results fit neither the old nor the new state: run the command again"
    assert found.report.seen.startswith(told)
    assert told in found.report_file.read_text("utf-8")
    assert pipeline.build(folder, ["gem"], quick=True).report.ok
