"""Rollouts from the command line: a policy or a real model's endpoint, in the venv that was built."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from functools import partial
from pathlib import Path

import pytest

from skill_tools.frameworks.rules import load
from skill_tools.pipeline import build, render
from skill_tools.policies.scripted import as_text
from skill_tools.policies.server import PolicyEndpoint
from skill_tools.reference.playbook import write_scripts
from skill_tools.rollouts.single import serve_scripts
from tests.command_line import skill_tools
from tests.conftest import write_counter
from tests.processes import plays


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_counter(
        tmp_path_factory.mktemp("rollouts") / "counter",
        env=("episode:", "frameworks: [openenv]\nepisode:"),
    )
    render(folder)
    return folder


@pytest.fixture
def env(rendered: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(rendered, tmp_path / "counter"))


def test_a_policy_plays_the_tasks_that_are_named_one_after_the_other(env: Path) -> None:
    run = skill_tools("rollout", env, "-f", "openenv", "--index", "3-5")
    assert run.returncode == 0, run.stderr
    played = re.findall(r"^\[oracle counter/train/(\d+)/\d+\]", run.stdout, re.MULTILINE)
    assert set(played) == {"3", "4", "5"}
    assert played == sorted(played)
    assert not (env / "runs").exists()


def test_a_task_that_is_not_there_is_named(env: Path) -> None:
    run = skill_tools("rollout", env, "-f", "openenv", "--index", "12")
    assert (run.returncode, run.stdout) == (2, "")
    assert "there is no task 12 in 'train'; it has 0 to 11" in run.stderr


def test_a_models_endpoint_is_played_in_the_venv_that_was_built(env: Path) -> None:
    spec = load(env)
    _, scripts = write_scripts(spec, env, "test", 1)
    with PolicyEndpoint(scripts, partial(as_text, spec)) as endpoint:
        model = ("--model", "oracle", "--base-url", endpoint.base_url)
        run = skill_tools("rollout", env, "-f", "openenv", *model, "--split", "test")
    assert run.returncode == 0, run.stderr
    assert "[oracle counter/test/0/99] terminated, return 1" in run.stdout
    (kept,) = (env / "runs").glob("openenv-*.jsonl")
    assert f"trajectories: {kept}" in run.stdout
    assert json.loads(kept.read_text("utf-8"))["return"] == 1.0
    assert not [path for path in (env / "openenv").iterdir() if path.name in (".venv", "uv.lock")]


def test_what_was_played_is_summed_up_exported_and_gone_on_with(env: Path, tmp_path: Path) -> None:
    _, scripts = write_scripts(load(env), env, "train", 2)
    with PolicyEndpoint(scripts) as endpoint:
        play = partial(
            skill_tools, "rollout", env, "-f", "openenv", "--base-url", endpoint.base_url
        )
        asked = ("--model", "oracle", "--index", "0-1", "--temperature", 0.5)
        run = play(*asked)
        (kept,) = (env / "runs").glob("openenv-*.jsonl")
        assert run.stdout.startswith(f"trajectories are kept in {kept}\n")
        # The same once more plays nothing; another temperature is another run.
        again = play(*asked, "--resume", kept)
        assert (again.returncode, again.stdout.count("already has 2 episodes; 0 are left")) == (
            0,
            1,
        )
        other = play(*asked[:-1], 0.9, "--resume", kept)
    assert other.returncode == 2
    assert "was played with sampling" in other.stderr
    summed = skill_tools("summary", kept)
    reported = [line for line in run.stdout.splitlines() if line in summed.stdout.splitlines()]
    assert reported[0].startswith(
        "oracle: 2 episodes, mean return 1.000 ± 0.000 (95 %), pass@1 1.000"
    )
    assert len(reported) == len(summed.stdout.splitlines())
    examples = tmp_path / "sft.jsonl"
    as_played = ("--arguments", "text")
    assert skill_tools("export", "sft", kept, "-o", examples, *as_played).returncode == 0
    rows = [json.loads(line) for line in examples.read_text("utf-8").splitlines()]
    played = [json.loads(line) for line in kept.read_text("utf-8").splitlines()]
    assert [row["messages"] for row in rows] == [line["messages"][:-1] for line in played]


def test_a_full_disk_keeps_whole_lines_says_what_to_do_and_leaves_nothing_running(
    env: Path, tmp_path: Path
) -> None:
    room = tmp_path / "room"
    room.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(room)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root can mount a disk that is small")
    kept = room / "kept.jsonl"
    kept.touch()
    spec = load(env)
    _, scripts = write_scripts(spec, env, "train", 12)
    try:
        with serve_scripts(spec, scripts, 8) as endpoint:
            asked = ["--base-url", endpoint.base_url, "--model", "oracle", "--index", "0-11"]
            asked += ["--samples", "8", "--concurrency", "8", "--resume", str(kept)]
            first = skill_tools("rollout", env, "-f", "openenv", *asked)
            assert first.returncode == 2, first.stderr
            assert (
                "cannot be written any further: No space left on device; its lines are complete"
                in first.stderr
            )
            assert "free some space, and continue with --resume" in first.stderr
            assert "Traceback" not in first.stderr
            assert not plays(env / "openenv")
            lines = kept.read_text("utf-8").splitlines()
            assert 0 < len([json.loads(line) for line in lines]) < 96
            subprocess.run(["mount", "-o", "remount,size=8m", str(room)], check=True)
            again = skill_tools("rollout", env, "-f", "openenv", *asked)
            assert again.returncode == 0, again.stdout[-3000:]
            assert f"already has {len(lines)} episodes" in again.stdout + again.stderr
        played = [json.loads(line) for line in kept.read_text("utf-8").splitlines()]
        assert len({(line["index"], line["sample"]) for line in played}) == len(played) == 96
    finally:
        subprocess.run(["umount", str(room)], check=False)


def test_every_split_has_a_report_and_the_last_word_is_on_all(env: Path) -> None:
    run = skill_tools("validate", env, "-f", "openenv", "--split", "all", "--num-tasks", 2, "-v")
    assert run.returncode == 0, run.stdout + run.stderr
    for title in ("2 tasks of train", "1 tasks of test"):
        assert title in run.stdout
    assert "Not played: 10 tasks of train\n" in run.stdout
    assert re.search(r"openenv train: rolling out", run.stderr)
    whole = (env / "runs" / "report.md").read_text("utf-8")
    for split in ("train", "test"):
        assert re.search(rf"^\| openenv \|.* \| {split} \| oracle \|", whole, re.MULTILINE)
        own = (env / "runs" / split / "report.md").read_text("utf-8")
        assert re.search(rf"^\| openenv \|.* \| {split} \| oracle \|", own, re.MULTILINE)
        assert (env / "runs" / split / "openenv.jsonl.gz").is_file()
        page = (env / "runs" / split / "report.html").read_text("utf-8")
        assert f"{split}</title>" in page
    assert (env / "runs" / "report.html").is_file()


@pytest.mark.everything("frameworks")
def test_the_episodes_done_are_counted(env: Path) -> None:
    slow = '    def add(self, amount, note=""):\n'
    game = (env / "game.py").read_text("utf-8")
    assert slow in game
    waiting = f"{slow}        time.sleep(0.02)\n"
    (env / "game.py").write_text("import time\n" + game.replace(slow, waiting), "utf-8")
    run = skill_tools("validate", env, "-f", "openenv", "--num-tasks", 12)
    assert run.returncode == 0, run.stdout + run.stderr
    assert re.search(r"openenv: rolling out, \d+ of 84 episodes", run.stderr)


@pytest.mark.parametrize("given", [True, False])
def test_a_variant_starts_without_an_optional_secret_which_the_domain_does_not_find(
    given: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = "secrets: [TELCO_KEY, {name: OTHER_KEY, optional: true}]\nepisode:"
    folder = write_counter(
        tmp_path / "counter",
        env=("episode:", listed),
        game=[
            ("import random\n", "import os\nimport random\n"),
            ("{self.target}.", "{self.target}; {[n for n in os.environ if n.endswith('R_KEY')]}."),
        ],
    )
    render(folder, ["gem"])
    run = skill_tools("rollout", folder, "-f", "gem", "--policy", "noop", OTHER_KEY="1")
    assert "TELCO_KEY is not set; this environment needs it" in run.stdout + run.stderr
    monkeypatch.setenv("TELCO_KEY", "1")
    if given:
        monkeypatch.setenv("OTHER_KEY", "1")
    found = build(folder, ["gem"], count=2).evidence
    seen = "; ['OTHER_KEY']." if given else "; []."
    for played in found.played.values():
        assert all(seen in each.prompt[-1]["content"] for each in played["oracle"].values())
    assert set(found.played) == {"domain", "gem"}


@pytest.mark.everything("frameworks")
def test_a_package_whose_release_differs_between_variants_is_reported(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "counter", env=("episode:", "packages: [openai]\nepisode:"))
    found = build(folder, ["gem", "nemo_gym"], count=1)
    versions = found.evidence.variants.packages
    assert versions["gem"]["openai"] != versions["nemo_gym"]["openai"], "NeMo Gym needs an old one"
    (reported,) = [each for each in found.report.findings if each.check == "PAR008"]
    assert reported.status == "note"
    assert versions["nemo_gym"]["openai"] in reported.message
    assert "packages: [openai>=" in reported.fix
