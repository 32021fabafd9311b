"""The command line, run as a user runs it: bad input is named, and leaves the folder alone."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from skill_tools.archetypes import ARCHETYPES
from skill_tools.frameworks.rules import load
from skill_tools.pipeline.bare_runs import play_domain
from tests.over import over

from .command_line import skill_tools
from .conftest import WORDLE, snapshot, write_counter


def refused(folder: Path, *expected: str, **environment: str) -> None:
    """Building says each expected text, exits non-zero, and changes no file."""
    before = snapshot(folder)
    run = skill_tools("build", folder, **environment)
    assert run.returncode in (1, 2), run.stderr
    for text in expected:
        assert text in run.stdout + run.stderr
    assert "Traceback" not in run.stderr
    assert snapshot(folder) == before


@over(
    ("file", "old", "new", "expected"),
    [
        ("env", "archetype:", "archetyp:", "did you mean 'archetype'?"),
        ("env", "type: integer", "type: int", "unknown parameter type 'int'"),
        ("env", "tasks:TASKS", "../tasks/{split}.jsonl", "leaves the environment folder"),
        ("env", "  add:", "  reset:", "reserved by OpenEnv"),
        ("env", '"{observation}"', '"{{ x }}"', "not a placeholder"),
        ("env", '"{observation}"', '"{target_word}"', "hidden task field"),
        ("game", "def look(", "def peek(", "no method look()"),
        ("game", "import random\n", "import randon\n", "game.py:1: ModuleNotFoundError"),
        ("game", "class Counter:", "class Counter", "game.py:8: SyntaxError"),
        ("game", "class Counter:", "class Other:", "has no class Counter"),
        ("tasks", "TASKS = {", "TASKS = {}\nOTHER = {", "there are no tasks"),
        ("tasks", '"target_word": f"word{i}word"', '"x": {1}', "not JSON serializable"),
        (
            "oracle",
            "left = Counter",
            "raise KeyError(3)\n    left = Counter",
            "oracle.py:5: KeyError",
        ),
        ("oracle", "while left:", "while left or 1:", "did not end within 2 s"),
        ("oracle", "return calls", "return 5", "not iterable"),
        ("tasks", "TASKS = {", "TASKS = [1]\nOTHER = {", "not {split: [task, ...]}"),
        (
            "tasks",
            "TASKS = {",
            'TASKS = {"train": [1]}\nOTHER = {',
            "a task must be a dict, and one is a int",
        ),
    ],
    few=5,
    part="frameworks",
)
def test_bad_input_is_named_and_leaves_the_folder_alone(
    tmp_path: Path, file: str, old: str, new: str, expected: str
) -> None:
    folder = write_counter(tmp_path / "counter", **{file: (old, new)})
    refused(folder, expected, SKILL_TOOLS_DOMAIN_SECONDS="2")


def test_a_task_file_that_is_not_json_is_named(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "counter", env=("tasks:TASKS", "tasks/{split}.jsonl"))
    (folder / "tasks").mkdir()
    (folder / "tasks" / "train.jsonl").write_text('{"seed": 1}\n{oops\n')
    refused(folder, "tasks file train.jsonl, line 2")


@pytest.mark.everything("frameworks")
def test_a_missing_interpreter_is_named_with_what_to_install(counter: Path, tmp_path: Path) -> None:
    spec = counter / "env.yaml"
    spec.write_text(spec.read_text() + "frameworks: [nemo_gym]\n")
    refused(
        counter,
        "3.12",
        "install",
        PATH=str(tmp_path),
        PYENV_ROOT=str(tmp_path),
        UV_PYTHON_DOWNLOADS="never",
        UV_PYTHON_INSTALL_DIR=str(tmp_path),
        SKILL_TOOLS_PYTHON="",
    )


@pytest.mark.live
def test_no_network_is_named(counter: Path, tmp_path: Path) -> None:
    refused(
        counter,
        "index",
        UV_INDEX_URL="http://127.0.0.1:9/simple",
        UV_DEFAULT_INDEX="http://127.0.0.1:9/simple",
        UV_CACHE_DIR=str(tmp_path / "uv"),
        SKILL_TOOLS_CACHE=str(tmp_path / "cache"),
        UV_HTTP_RETRIES="0",
    )


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("build", "no/such/folder"), "is not a folder"),
        (("build", ".", "-f", "openenvv"), "there is no framework 'openenvv'"),
        (("explain", "ISO-001"), "did you mean 'ISO001'?"),
        (("new", "x", "--archetype", "pure-python-gam"), "pure-python-game"),
        (("new", "x"), "name one with --archetype: single-turn, "),
        (("check", "."), "run: skill-tools new DIR --archetype NAME"),
        (("frobnicate",), "No such command"),
    ],
)
def test_a_mistaken_command_says_what_is_there(
    arguments: tuple[str, ...], expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = skill_tools(*arguments)
    assert run.returncode == 2
    assert expected in run.stderr
    assert "Traceback" not in run.stderr
    assert not list(tmp_path.iterdir())


def test_new_refuses_a_folder_that_holds_something(counter: Path) -> None:
    before = snapshot(counter)
    run = skill_tools("new", counter, "--archetype", "pure-python-game")
    assert run.returncode == 2
    assert "not empty" in run.stderr
    assert snapshot(counter) == before


@pytest.mark.live
def test_new_then_check_is_green_for_every_working_archetype(tmp_path: Path) -> None:
    for archetype in ARCHETYPES:
        folder = tmp_path / archetype
        assert skill_tools("new", folder, "--archetype", archetype).returncode == 0
        run = skill_tools("check", folder, "--json")
        assert run.returncode == 0, run.stdout
        assert json.loads(run.stdout)["ok"] is True


def test_check_says_what_was_skipped_why_and_whether_code_ran(counter: Path) -> None:
    run = skill_tools("check", counter)
    assert run.returncode == 0
    assert "Seen: the domain was imported and all tasks were read; nothing was played" in run.stdout
    (skipped,) = re.findall(r"^Skipped: (\d+), \d+ of them because [a-z]", run.stdout, re.MULTILINE)
    assert f"{skipped} skipped" in run.stdout
    every = skill_tools("check", counter, "-v").stdout
    assert len(re.findall(r"^skip [A-Z]+\d+ ", every, re.MULTILINE)) == int(skipped)


@pytest.mark.everything("frameworks")
def test_check_plays_the_bare_domain_on_request_and_writes_nothing(counter: Path) -> None:
    before = snapshot(counter)
    run = skill_tools("check", counter, "--play", "--num-tasks", 2, "--split", "all")
    assert run.returncode == 0, run.stdout
    for said in ("2 tasks of train", "1 tasks of test", "bare domain", "but no variant"):
        assert said in run.stdout
    assert "Not played: 10 tasks of train" in run.stdout
    assert snapshot(counter) == before


def test_what_check_plays_can_fail_it(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "counter", game=("self.reward = 1.0", "self.reward = 1.4"))
    run = skill_tools("check", folder, "--play")
    assert run.returncode == 1
    assert "FAIL REW001" in run.stdout


@pytest.mark.everything("frameworks")
def test_exemplars_are_listed_and_read() -> None:
    assert "starter/pure-python-game" in skill_tools("exemplars").stdout
    assert "game.py" in skill_tools("exemplars", "wordle").stdout
    text = (WORDLE / "game.py").read_text("utf-8")
    assert skill_tools("exemplars", "wordle", "game.py").stdout == text
    for wrong in (("wordl",), ("wordle", "gam.py")):
        run = skill_tools("exemplars", *wrong)
        assert (run.returncode, run.stdout) == (2, "")
        assert "did you mean" in run.stderr


@pytest.mark.everything("frameworks")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--index", "9-0"), "--index is '9-0'"),
        (("--index", "a"), "write a number, or a range such as 0-9"),
        (("--policy", "oracle", "--model", "m"), "--policy and --model exclude each other"),
        (("--base-url", "http://127.0.0.1:1/v1"), "--base-url needs --model"),
        (("--policy", "oracel"), "did you mean 'oracle'?"),
        (("--seed", "1"), "--resume need --model"),
        (("--cluster", "slurm"), "--cluster is 'slurm'"),
        (("--cluster", "ray"), "pip install 'rl-env-skills[ray]'"),
        (("--cluster", "ray://head:10001"), "pip install 'rl-env-skills[ray]'"),
    ],
)
def test_a_rollout_that_makes_no_sense_is_refused(
    counter: Path, options: tuple[str, ...], said: str
) -> None:
    run = skill_tools("rollout", counter, "-f", "gem", *options)
    assert (run.returncode, run.stdout) == (2, "")
    assert said in run.stderr


@pytest.mark.everything("frameworks")
def test_render_refuses_an_edited_file_and_says_so(counter: Path) -> None:
    assert skill_tools("render", counter).returncode == 0
    (counter / "openenv" / "rollout.py").write_text("mine")
    before = snapshot(counter)
    run = skill_tools("render", counter)
    assert run.returncode == 2
    assert "openenv/rollout.py" in run.stderr
    assert f"run: skill-tools render {counter} --force" in run.stderr
    assert snapshot(counter) == before
    assert skill_tools("render", counter, "--check").returncode == 1
    assert skill_tools("render", counter, "--force").returncode == 0
    assert skill_tools("render", counter, "--check").returncode == 0


def test_explain_says_how_bad_a_check_is_and_what_it_needs() -> None:
    said = skill_tools("explain", "EPI003").stdout
    assert "EPI003 call-after-end-played (error)" in said
    assert "needs: played episodes\npasses only if played: past_done\nfix: refuse" in said


@pytest.mark.everything("costly")
@pytest.mark.parametrize(
    "command", [("archetypes",), ("frameworks",), ("explain", "reward-out-of-range"), ("doctor",)]
)
def test_json_is_all_that_a_program_gets(command: tuple[str, ...]) -> None:
    run = skill_tools(*command, "--json")
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)


def test_a_domain_may_need_packages_and_secrets(tmp_path: Path) -> None:
    game = "import os\nimport random\n\nimport iniconfig\n\nKEY = os.environ['COUNTER_TOKEN']\n"
    folder = write_counter(
        tmp_path / "counter",
        game=("import random\n", game),
        env=("hidden:", "packages: [iniconfig]\nsecrets: [COUNTER_TOKEN]\nhidden:"),
    )
    assert skill_tools("check", folder, COUNTER_TOKEN="x").returncode == 0
    run = skill_tools("check", folder)
    assert run.returncode == 2
    assert "KeyError: 'COUNTER_TOKEN'" in run.stderr


@pytest.mark.everything("frameworks")
@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("self.reward = 0.0\n", "pass\n", "no attribute 'reward'"),
        ("self.reward = 0.0\n", "self.reward = 'much'\n", "the reward is 'much'"),
        ("self.done = False\n", "pass\n", "no attribute 'done'"),
        (
            'return f"The counter is at {self.value}; the',
            'return 3 or f"',
            "it returned 3 (int); return text",
        ),
    ],
)
def test_a_domain_that_lacks_a_member_fails_its_episodes_with_the_cause(
    tmp_path: Path, old: str, new: str, expected: str
) -> None:
    folder = write_counter(tmp_path / "counter", game=(old, new))
    spec = load(folder)
    bare = play_domain(spec, folder, count=1).reference.episodes
    (trajectory,) = bare["oracle"].values()
    assert trajectory.end == "failed"
    assert expected in trajectory.failure.message


@pytest.mark.everything("costly")
def test_what_is_not_rendered_is_said_to_be(counter: Path) -> None:
    for command in (("validate", counter), ("rollout", counter, "-f", "ors")):
        run = skill_tools(*command)
        assert run.returncode in (1, 2)
        said = " ".join((run.stdout + run.stderr).split())
        assert (
            "is not rendered: render this variant first" in said or "not rendered yet: ors" in said
        )
    assert f"run: skill-tools render {counter}" in said


def test_a_framework_that_the_spec_does_not_name_is_rendered_when_asked_for(counter: Path) -> None:
    spec = counter / "env.yaml"
    spec.write_text(spec.read_text() + "frameworks: [ors]\n")
    before = spec.read_text()
    assert skill_tools("render", counter).returncode == 0
    assert not (counter / "gem").exists()
    assert skill_tools("render", counter, "-f", "gem").returncode == 0
    assert (counter / "gem" / "counter_gem.py").is_file()
    assert spec.read_text() == before


def test_what_was_rendered_on_request_is_kept_up_to_date(counter: Path) -> None:
    skill_tools("render", counter, "-f", "gem")
    spec = counter / "env.yaml"
    spec.write_text(spec.read_text().replace("title: Counter", "title: Another Counter"))
    assert "stale    gem/counter_gem.py" in skill_tools("render", counter).stdout
    assert "Another Counter" in (counter / "gem" / "counter_gem.py").read_text()


@pytest.mark.everything("costly")
def test_who_deletes_a_variant_no_longer_requests_it(counter: Path) -> None:
    skill_tools("render", counter, "-f", "gem")
    shutil.rmtree(counter / "gem")
    run = skill_tools("render", counter)
    assert "stale    _shared/env_spec.py" in run.stdout, "how actions are written is gone from it"
    assert not (counter / "gem").exists()
    assert "gem" not in (counter / "env.lock.json").read_text()


def test_a_framework_that_does_not_exist_is_named(counter: Path) -> None:
    for command in ("build", "render", "validate"):
        run = skill_tools(command, counter, "-f", "gym")
        assert run.returncode == 2
        assert (
            "there is no framework 'gym'; did you mean 'gem'? there are: openenv, ors" in run.stderr
        )


def test_a_name_that_a_framework_on_request_reserves_is_refused(counter: Path) -> None:
    spec = counter / "env.yaml"
    spec.write_text(spec.read_text().replace("name: counter", "name: search"))
    assert skill_tools("render", counter).returncode == 0
    run = skill_tools("render", counter, "-f", "skyrl_gym")
    assert run.returncode == 2
    assert "the name 'search' is already used in SkyRL Gym" in run.stderr
    assert not (counter / "skyrl_gym").exists()


@pytest.mark.everything("costly")
def test_doctor_says_which_uv_to_type_where_there_is_none_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from skill_tools.runtime.doctor import examine

    def told() -> str:
        return next(row.found for row in examine() if row.what == "uv")

    monkeypatch.setenv("PATH", str(tmp_path))
    assert re.search(r"not on the PATH: instead of `uv run`, type `/\S+/uv run`", told())
    (tmp_path / "uv").write_text("#!/bin/sh\n")
    (tmp_path / "uv").chmod(0o755)
    assert "PATH" not in told()
