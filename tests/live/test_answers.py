"""The last line of every answer, and why an episode ended: the same wherever it is played."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from skill_tools import pipeline
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.frameworks.rules import load
from skill_tools.rollouts.rollout import variant_venv
from tests.conftest import ROOT
from tests.live.frameworks import FRAMEWORKS
from tests.reports import unwanted

DESK = ROOT / "corpora" / "mutants" / "controls" / "refund-desk"
REPLAYED = """\
import json
import gem
import refund_desk_gem

env = gem.make("refund_desk:train", index=0)
env.reset()
for said in ("Well.", "<read_policy/>", "Well."):
    env.step(said)
twin = env.spawn(same_state=True)
kept = json.loads(json.dumps(env.get_state()))
texts = [[each.step("<deny>1</deny><deny>1</deny>")[0], each.step("<end_episode/>")[0]] for each in (env, twin)]
print(json.dumps([twin.get_state()["steps"][:3] == kept["steps"], texts]))
"""


pytestmark = pytest.mark.everything("frameworks")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> pipeline.Outcome:
    """The refund desk, whose domain has a status() and a finish(reason), in every framework."""
    folder = tmp_path_factory.mktemp("answers") / "refund_desk"
    shutil.copytree(DESK, folder)
    return pipeline.build(folder, list(FRAMEWORKS), count=2)


def everywhere(desk: pipeline.Outcome, policy: str) -> list[Trajectory]:
    """What one policy played, on the bare domain and in every variant."""
    assert set(desk.evidence.variants.rollouts) == set(FRAMEWORKS)
    several = [desk.evidence.reference.episodes, *desk.evidence.variants.rollouts.values()]
    return [each for played in several for each in played[policy].values()]


def test_every_answer_ends_with_the_line_in_every_framework(desk: pipeline.Outcome) -> None:
    assert not unwanted(desk.report)
    for policy in ("malformed", "turn_limit", "past_done", "example", "random"):
        for played in everywhere(desk, policy):
            lines = [step.text.splitlines()[-1] for step in played.steps]
            assert all(line.startswith("STATUS: ") for line in lines), (played.framework, policy)
    kinds = {
        step.error
        for p in ("malformed", "past_done")
        for t in everywhere(desk, p)
        for step in t.steps
    }
    assert kinds >= {None, "unknown_tool", "invalid_arguments", "episode_over"}


@pytest.mark.parametrize(
    ("policy", "reason"), [("oracle", "terminated"), ("turn_limit", "refusals")]
)
def test_the_domain_is_told_the_same_reason_in_every_framework(
    desk: pipeline.Outcome, policy: str, reason: str
) -> None:
    for played in everywhere(desk, policy):
        assert played.steps[-1].text.endswith(f"closed ({reason})"), played.framework
    if reason == "refusals":
        for played in everywhere(desk, policy):
            (last,) = [step for step in played.steps if "That was the last refusal" in step.text]
            assert last.done


def test_who_stops_before_the_end_is_paid_for_stopping_everywhere(desk: pipeline.Outcome) -> None:
    assert {t.total for t in everywhere(desk, "early_stop")} == {0.0}
    assert {t.total for t in everywhere(desk, "oracle")} == {1.0}


def test_a_variant_that_leaves_the_line_away_in_one_answer_is_named(
    desk: pipeline.Outcome, tmp_path: Path
) -> None:
    folder = tmp_path / "refund_desk"
    shutil.copytree(desk.evidence.folder, folder, ignore=shutil.ignore_patterns("runs"))
    server = folder / "openenv" / "server" / "app.py"
    plays = "            step = self._episode.call(name, action.arguments)\n"
    text = server.read_text("utf-8")
    assert plays in text
    server.write_text(
        text.replace(
            plays,
            f"{plays}            if step.error == 'unknown_tool':\n"
            "                step.observation[0]['text'] = step.text.rpartition('\\n')[0]\n",
        ),
        "utf-8",
    )
    found = pipeline.validate(folder, ["openenv"], count=1).report.findings
    assert "PAR004" in {each.check for each in found if each.status == "fail"}


def test_an_episode_of_gem_that_is_taken_up_again_says_the_same_lines(
    desk: pipeline.Outcome,
) -> None:
    folder = desk.evidence.folder
    python = variant_venv(load(folder), folder, FRAMEWORKS["gem"]).python
    ran = subprocess.run(
        [python, "-c", REPLAYED], cwd=folder / "gem", capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    same, (one, other) = json.loads(ran.stdout.splitlines()[-1])
    assert same
    assert one == other
    assert one[0].count("STATUS") == 2
    assert one[1].endswith("STATUS: 5 orders left, 3 refused, closed (stopped)")
