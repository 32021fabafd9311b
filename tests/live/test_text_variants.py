"""SkyRL Gym and GEM: the variants in their frameworks' hands, and where users install them.

What only the frameworks can show is gathered by one program per framework (skyrl_gym_facts.py,
gem_facts.py), run once; the tests assert what it saw.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from uv import find_uv_bin

from skill_tools import pipeline
from skill_tools.frameworks.rules import load
from skill_tools.pipeline import bundle
from skill_tools.policies.scripted import Call, Turn, as_text
from skill_tools.policies.server import PolicyEndpoint
from skill_tools.rollouts.rollout import variant_venv
from skill_tools.runtime import interpreters
from skill_tools.runtime.environment import child_environment
from tests.conftest import write_counter
from tests.live.frameworks import FRAMEWORKS

from .rolled import roll

ROWS, SAMPLES = 12, 3
"""Rows of the dataset of split train, and episodes that skyrl_gym_facts.py plays of each."""
TEXT = [name for name, facts in FRAMEWORKS.items() if facts.actions == "text"]
HERE = Path(__file__).parent

EVERY_TYPE = """\
  mark:
    description: Note something.
    parameters:
      code: {type: string, pattern: "^[a-z\\"'<>&]{2,9}$", max_length: 4, description: A code.}
      kind: {type: enum, values: ["a & b", '"c"', "<d>"], description: A kind.}
      share: {type: number, minimum: 0, maximum: 1, description: A share.}
      flag: {type: boolean, default: false, description: A flag.}
      places: {type: array, items: {type: integer}, max_items: 3, description: Places.}
episode:"""
WATCHED = '''

import atexit
import sys

OPEN = []
atexit.register(lambda: print(len(OPEN), "worlds are open", file=sys.stderr))


class Watched(Counter):
    """The counter with a tool of every type; it breaks when asked to and knows its open worlds."""

    def __init__(self, task, seed):
        if task.get("broken"):
            raise RuntimeError("no world")
        super().__init__(task, seed)
        OPEN.append(self)

    def add(self, amount, note=""):
        if note == "boom":
            raise RuntimeError("it broke")
        super().add(amount, note)
        return self.observe()

    def mark(self, code, kind, share, flag, places):
        return self.observe()

    def close(self):
        if self in OPEN:
            OPEN.remove(self)
'''


def run(
    folder: Path, framework: str, *arguments: str | Path, **extra: str
) -> subprocess.CompletedProcess[str]:
    """Run a variant's own program in its folder and venv."""
    return subprocess.run(
        [variant_venv(load(folder), folder, FRAMEWORKS[framework]).python, *arguments],
        cwd=folder / framework,
        env=child_environment(extra),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module")
def counter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The watched counter, rendered."""
    folder = tmp_path_factory.mktemp("text") / "counter"
    write_counter(folder, env=[("game:Counter", "game:Watched"), ("episode:", EVERY_TYPE)])
    with (folder / "game.py").open("a") as file:
        file.write(WATCHED)
    pipeline.render(folder, TEXT)
    return folder


def facts(folder: Path, framework: str) -> dict[str, Any]:
    found = run(folder, framework, HERE / f"{framework}_facts.py", PYTHONPATH=".")
    assert found.returncode == 0, found.stderr[-4000:]
    return json.loads(found.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def skyrl_gym(counter: Path) -> dict[str, Any]:
    """What skyrl_gym_facts.py saw."""
    rows = run(
        counter, "skyrl_gym", "counter_skyrl.py", "--split", "train", "--output", "rows.jsonl"
    )
    assert rows.returncode == 0, rows.stderr
    assert rows.stdout == f"{ROWS} rows: rows.jsonl\n"
    return facts(counter, "skyrl_gym")


@pytest.fixture(scope="module")
def gem(counter: Path) -> dict[str, Any]:
    """What gem_facts.py saw."""
    return facts(counter, "gem")


def test_skyrl_samples_of_a_row_share_its_extras_and_nothing_else(
    skyrl_gym: dict[str, Any],
) -> None:
    seen = skyrl_gym["samples"]
    assert (seen["won"], seen["left"]) == (ROWS * SAMPLES, 0)
    assert seen["alike"], "samples of one row differ"
    assert seen["targets"] > 1, "different rows are one problem"
    assert seen["untouched"], "extras were changed"


def test_skyrl_averages_the_metrics_of_episodes(skyrl_gym: dict[str, Any]) -> None:
    means = skyrl_gym["samples"]["means"]
    assert means.keys() == {"return", "turns", "refused", "truncated", "failed"}
    assert (means["return"], means["refused"], means["truncated"]) == (1.0, 0.0, 0.0)
    assert set(skyrl_gym["samples"]["types"]) <= {"bool", "int", "float"}
    assert skyrl_gym["order"]["metrics before init"] == {}


@pytest.mark.parametrize(
    ("name", "turns", "total", "refused", "truncated"),
    [
        ("limit of one", 1, 0.0, 0, True),
        ("done at the limit", 3, 1.0, 0, False),
        ("stopped", 1, 0.0, 0, False),
        ("one message", 2, 0.0, 0, False),
        ("unreadable", 2, 0.0, 2, True),
        ("no limit", 6, 0.0, 0, True),
    ],
)
def test_skyrl_is_told_every_end(
    skyrl_gym: dict[str, Any], name: str, turns: int, total: float, refused: int, truncated: bool
) -> None:
    done, observations, metrics, counted = skyrl_gym["ends"][name]
    assert (done, observations, counted) == (True, [], turns)
    expected = {"return": total, "turns": turns, "refused": refused, "truncated": truncated}
    assert metrics == {**expected, "failed": False}


def test_skyrl_calls_in_another_order_are_harmless_or_an_error_that_says_so(
    skyrl_gym: dict[str, Any],
) -> None:
    seen = skyrl_gym["order"]
    assert seen["before init"] == "RuntimeError: call init() before step()"
    assert (seen["open after two inits"], seen["open after close"]) == (1, 0)
    assert seen["after done"] == [True, [], 0.0]
    assert "over" in seen["told after done"]
    counted = {"turns": 1, "refused": 1, "truncated": True, "failed": False}
    assert seen["metrics after"] == {"return": 0.0, **counted}


@pytest.mark.parametrize("framework", TEXT)
def test_a_domain_that_breaks_raises_and_leaves_no_world(
    framework: str, request: pytest.FixtureRequest
) -> None:
    seen = request.getfixturevalue(framework)["failures"]
    assert seen["step"] == seen["again"]
    assert seen["step"].startswith("EpisodeFailed: ")
    assert "it broke" in seen["step"]
    assert "no world" in seen["setting up"]
    assert (seen["open"], seen["open after all"]) == (0, 0)


def test_worlds_that_break_end_their_episodes_and_not_skyrls_training_step(
    skyrl_gym: dict[str, Any],
) -> None:
    seen = skyrl_gym["training step"]
    good, late, early, unset = seen["episodes"]
    assert (good[1], good[3], good[5]["failed"]) == ([0.0] * 6, None, False)
    for own_prompt, rewards, observations, failure, steps, metrics, after in (late, early, unset):
        assert rewards == [0.0] * len(rewards)
        assert (observations, metrics, after) == ([], {"failed": True}, 0.0)
        assert ("no world" if own_prompt else "it broke") in failure
        assert steps == (["look"] if len(rewards) == 2 else [])
    assert [len(each[1]) for each in (late, early, unset)] == [2, 1, 1]
    assert [each[0] for each in (late, early, unset)] == [False, False, True]
    # The mean return is of those that have one.
    assert (seen["means"]["failed"], seen["means"]["return"]) == (0.75, good[5]["return"])
    assert seen["open"] == 0
    assert seen["wrong"] == "ValueError: env_config has on_failure 'skip'; it is 'end' or 'raise'"


def test_skyrl_rows_are_understood_in_every_form(skyrl_gym: dict[str, Any]) -> None:
    seen = skyrl_gym["rows"]
    forms = ("numpy", "strange", "omegaconf", "filled", "reseeded", "task")
    assert {form: seen[form] for form in forms} == dict.fromkeys(forms, True)
    assert seen["task types"] == ["int", "list"]
    assert seen["limit"] == 2
    assert seen["written"] == [True] * ROWS
    assert seen["keys"] == ["data_source", "env_class", "extra_info", "prompt", "reward_spec"]
    assert seen["no place"].startswith("ValueError: extras must have extra_info with split and")
    assert seen["no index"].startswith("IndexError: there is no task 12 in split 'train'")


def test_skyrls_own_ids_are_reserved(skyrl_gym: dict[str, Any]) -> None:
    assert set(skyrl_gym["built in"]) == FRAMEWORKS["skyrl_gym"].reserved_names


def test_skyrl_opens_with_a_system_message_that_says_how_to_act(skyrl_gym: dict[str, Any]) -> None:
    system, user = skyrl_gym["prompt"]
    assert (system["role"], user["role"]) == ("system", "user")
    assert '<add amount="AMOUNT" note="NOTE"/>' in system["content"]
    assert user["content"].startswith("The counter is at 0")


@pytest.mark.parametrize("framework", TEXT)
def test_the_entry_point_works_in_another_process_and_is_registered_once(
    framework: str, request: pytest.FixtureRequest
) -> None:
    seen = request.getfixturevalue(framework)["registration"]
    assert seen["same"]
    assert seen["entry"] == f"counter_{framework.removesuffix('_gym')}:CounterEnv"
    if framework == "gem":
        assert seen["ids"] == ["counter:test", "counter:train"]


def test_gems_seeds_order_the_tasks_of_a_split_and_seed_the_world_of_one(
    gem: dict[str, Any],
) -> None:
    seen = gem["seeds"]
    flags = {name: value for name, value in seen.items() if isinstance(value, bool)}
    orders = ("a pass", "next pass differs", "made again", "reset again", "numpy seed",
              "as reset with it", "without a seed")  # fmt: skip
    worlds = ("seeds of the worlds", "one again", "one reset", "a task")
    assert flags == dict.fromkeys((*orders, *worlds), True)
    seeds_tried = 8
    assert seen["others differ"] == seeds_tried
    assert seen["one"] == {"split": "train", "index": 3, "seed": 3, "turns": 0}
    assert seen["one reseeded"] == {"split": "train", "index": 3, "seed": 5, "turns": 0}
    assert seen["a task's place"] == {"split": None, "index": None, "seed": 3, "turns": 0}
    assert seen["both"] == "ValueError: give an index or a task, not both"
    assert seen["limit"] == [6, 6]
    assert seen["messages"] == 1


@pytest.mark.parametrize(
    ("name", "terminated", "truncated", "total", "turns"),
    [
        ("done", True, False, 1.0, None),
        ("limit", False, True, 0.0, 2),
        ("done at the limit", True, False, 1.0, 6),
        ("stopped", True, False, 0.0, 1),
        ("stopped at once", True, False, 0.0, 0),
        ("unreadable", False, True, 0.0, 2),
        ("played past the limit", False, True, 0.0, 2),
        ("after the limit", False, True, 0.0, 2),
        ("after the stop", True, False, 0.0, 0),
    ],
)
def test_gem_tells_the_end_of_the_world_from_the_turn_limit(
    gem: dict[str, Any],
    name: str,
    terminated: bool,
    truncated: bool,
    total: float,
    turns: int | None,
) -> None:
    assert gem["ends"][name][1:] == [terminated, truncated, total]
    assert turns in (None, gem["ends"][f"{name}: turns"])


def test_gems_vectors_reset_themselves_and_keep_rewards_and_flags(gem: dict[str, Any]) -> None:
    seen = gem["vectors"]
    flags = {name: value for name, value in seen.items() if isinstance(value, bool)}
    same = ("async as sync", "async as sync, wrapped", "wrapped as plain", "reset to the seed")
    assert flags == dict.fromkeys((*same, "reopened"), True)
    environments = 5
    assert (seen["orders"], seen["tasks gone through"]) == (environments, ROWS)
    assert seen["open"] == 0
    assert 0 < seen["rewards"] < seen["terminated"], "some episodes are won, some are stopped"
    assert seen["truncated"] > 0
    assert seen["both"] == 0


def test_gems_next_step_mode_shows_the_end_before_it_resets(gem: dict[str, Any]) -> None:
    seen = gem["next step"]
    over = [[False, True], [True, False]]
    assert seen["flags"] == [*over, [False, False], [False, False]]
    assert seen["last text"] == "The episode is over."
    assert (seen["last turns"], seen["new"], seen["new turns"]) == ([2, 1], [True, True], [0, 0])
    assert seen["order"]


def test_every_wrapper_of_gem_that_needs_no_tokenizer_plays(gem: dict[str, Any]) -> None:
    assert len(gem["wrappers"]) >= 8
    assert gem["wrappers"] == {name: [True, True, False, 2, True] for name in gem["wrappers"]}


def test_a_copy_of_a_running_episode_goes_on_as_the_original_does(gem: dict[str, Any]) -> None:
    situations = (
        "before reset", "opened", "in the middle", "after the unreadable", "done", "truncated",
        "stopped", "played on after the stop",
    )  # fmt: skip
    assert gem["same state"] == {name: [True] * 3 for name in situations}


def test_gems_spawn_changes_what_it_is_asked_to(gem: dict[str, Any]) -> None:
    seen = gem["spawn"]
    assert seen["type"]
    assert seen["fresh"] == [True, 11, True]
    assert seen["reseeded"]
    assert seen["split"] == "test"
    assert [text[:19] for text in seen["apart"]] == [f"The counter is at {n}" for n in (2, 3, 4)]
    assert seen["moved"] == [[False, False], "train", "test", [False, True]]
    assert seen["another task"] == 4


def test_gems_random_actions_are_read_and_fit_the_schemas(gem: dict[str, Any]) -> None:
    seen = gem["random"]
    assert set(seen["errors"]) <= {"None", "invalid_action"}
    assert seen["tools"] == ["add", "look", "mark"]
    assert seen["forms of add"] == 2
    assert seen["same"]


def test_gems_chance_is_its_own(gem: dict[str, Any]) -> None:
    assert gem["global chance"]


def test_gems_environment_survives_a_failure_and_says_what_is_missing(gem: dict[str, Any]) -> None:
    seen = gem["failures"]
    missing = "RuntimeError: call reset() before step()"
    assert {seen[name] for name in ("before reset", "after close", "after a broken reset")} == {
        missing
    }
    assert seen["next"] == 0
    assert (seen["open after resets"], seen["open after close"]) == (1, 0)
    assert "it broke" in seen["state"]
    assert "it broke" in seen["replay"]


@pytest.mark.parametrize("framework", TEXT)
def test_an_episode_whose_domain_breaks_fails_with_its_cause_and_no_score(
    framework: str, counter: Path
) -> None:
    look, boom = Call("look", {}), Call("add", {"amount": 1, "note": "boom"})
    scripts = {
        "boom": {"*": (Turn((look,)), Turn((boom,)))},
        "quiet": {"*": (Turn(text="Nothing."),)},
    }
    played = {trajectory.model: trajectory for trajectory in roll(counter, framework, scripts, 1)}
    boomed, quiet = played["boom"], played["quiet"]
    assert (boomed.end, boomed.total) == ("failed", None)
    assert [step.tool for step in boomed.steps] == ["look"]
    assert "it broke" in boomed.failure.message
    assert (quiet.end, quiet.total) == ("stopped", 0.0)
    assert quiet.final_message == "Nothing.\n<end_episode/>"


@pytest.mark.parametrize("framework", TEXT)
def test_a_rollout_by_hand_prints_the_episode_and_wrong_arguments_say_what_is_wrong(
    framework: str, counter: Path, tmp_path: Path
) -> None:
    script = (Turn((Call("look", {}),)), Turn((Call("add", {"amount": 50}),)))
    with PolicyEndpoint({"m": {"*": script}}, partial(as_text, load(counter))) as endpoint:
        options = ["rollout.py", "--model", "m", "--base-url", endpoint.base_url]
        shown = run(counter, framework, *options, "--output", tmp_path / "out")
        wrong = run(counter, framework, *options, "--index", "12")
    assert shown.returncode == 0, shown.stderr
    first, *played, turns, last = shown.stdout.splitlines()
    assert first == f"trajectories are kept in {tmp_path / 'out'}"
    assert turns.startswith("    3.0 turns an episode, ")
    assert last == f"trajectories: {tmp_path / 'out'}"
    assert played == [
        "[m counter/train/0/0] look({})",
        "    The counter is at 0; the target is 17.",
        "    reward 0, done False",
        '[m counter/train/0/0] add({"amount": 50})',
        "    add: amount must be a whole number, 1 to 9, was 50",
        "    reward 0, done False (invalid_arguments)",
        "[m counter/train/0/0] stopped, return 0",
        "m: 1 episodes, mean return 0.000, pass@1 0.000",
        "    ends: 1 stopped; refusals: 1 invalid_arguments",
    ]
    assert shown.stderr.splitlines()[-1] == "0 worlds are open"
    assert "HTTP" not in shown.stderr
    assert wrong.returncode == 2
    assert "error: there is no task 12 in split 'train'; it has 0 to 11" in wrong.stderr
    assert "Traceback" not in wrong.stderr


PLAY = {
    "skyrl_gym": """\
import counter_skyrl, skyrl_gym
extras = {"extra_info": {"split": "train", "index": 0}, "max_turns": 6}
with skyrl_gym.make("counter", extras=extras) as env:
    env.init([])
    env.step('<add amount="9"/>')
    print(env.step('<add amount="8"/>')["reward"], counter_skyrl.__file__)
""",
    "gem": """\
import counter_gem, gem
env = gem.make("counter:train", index=0)
env.reset()
env.step('<add amount="9"/>')
print(env.step('<add amount="8"/>')[1], counter_gem.__file__)
""",
}


@pytest.mark.parametrize(
    "framework",
    [pytest.param(name, marks=pytest.mark.everything("publishing")) for name in TEXT],
)
def test_a_variant_and_its_bundle_are_installed_and_imported_from_anywhere(
    framework: str, counter: Path, tmp_path: Path
) -> None:
    environment = child_environment({"HOME": os.environ["HOME"]})

    def call(*command: str | Path) -> str:
        found = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert found.returncode == 0, found.stderr[-4000:]
        return found.stdout

    uv, python = find_uv_bin(), tmp_path / "venv" / "bin" / "python"
    call(uv, "venv", "--python", interpreters.find(FRAMEWORKS[framework].python), "venv")
    install = (uv, "pip", "install", "--quiet", "--python", python)
    source = shutil.copytree(counter, tmp_path / "counter")
    call(*install, source / framework)
    assert call(python, "-c", PLAY[framework]).startswith("1.0 ")
    bundle(counter, framework, tmp_path / "bundled")
    shutil.rmtree(source)
    package = f"counter-{framework.removesuffix('_gym')}"
    call(uv, "pip", "uninstall", "--quiet", "--python", python, package, "counter-domain")
    call(*install, tmp_path / "bundled")
    shutil.rmtree(tmp_path / "bundled")
    total, place = call(python, "-c", PLAY[framework]).split()
    assert total == "1.0"
    assert "site-packages" in place
    assert not list((tmp_path / "venv").rglob("oracle.py"))
