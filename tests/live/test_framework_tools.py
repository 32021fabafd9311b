"""The variants in their frameworks' own hands: validators, evaluators, runners, clients."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from skill_tools import pipeline
from skill_tools.frameworks.rules import load
from skill_tools.policies.scripted import Script, as_text
from skill_tools.policies.server import PolicyEndpoint
from skill_tools.reference.playbook import write_scripts
from skill_tools.rollouts.rollout import variant_venv
from skill_tools.runtime import supervise, venvs
from skill_tools.runtime.environment import child_environment
from tests.live.frameworks import FRAMEWORKS
from tests.processes import MARK, commands, marked
from tests.selection import some

from .served import serving

COUNT = 5


def venv_of(folder: Path, framework: str) -> venvs.Overlay:
    return variant_venv(load(folder), folder, FRAMEWORKS[framework])


def call(command: Sequence[str | Path], folder: Path, framework: str, **extra: str) -> str:
    """Run a framework's own command in the variant's folder; returns what it printed."""
    log = folder / framework / "command.log"
    environment = child_environment({**FRAMEWORKS[framework].environment, **extra})
    found = supervise.run(
        command, cwd=folder / framework, env=environment, timeout=300, log=log, grace=5
    )
    text = log.read_text(errors="replace")
    log.unlink()
    assert found.returncode == 0, text[-4000:]
    return text


def scripts_of(folder: Path, split: str = "train") -> dict[str, dict[str, Script]]:
    return write_scripts(load(folder), folder, split, COUNT)[1]


def test_openenv_validate_passes_its_static_level(own_game: Path) -> None:
    command = [*venv_of(own_game, "openenv").script("openenv"), "validate", "."]
    text = call([*command, "--level", "static", "--skip-build"], own_game, "openenv")
    assert "PASS" in text
    assert "FAIL" not in text


@pytest.mark.everything("frameworks")
def test_vf_eval_runs_the_verifiers_variant_and_vf_replay_scores_it_again(
    own_game: Path, tmp_path: Path
) -> None:
    venv = venv_of(own_game, "verifiers")
    output = tmp_path / "out"
    with PolicyEndpoint(scripts_of(own_game)) as endpoint:
        for policy, expected in (("oracle", 1.0), ("noop", 0.0)):
            shutil.rmtree(output, ignore_errors=True)
            options = ["-n", str(COUNT), "--model", policy, "--client.base-url", endpoint.base_url]
            command = [*venv.script("vf-eval"), "connect-four", *options]
            call([*command, "--no-rich", "--no-push", "-o", output], own_game, "verifiers")
            (run,) = output.iterdir()
            assert rewards(run) == [expected] * COUNT
        call([*venv.script("vf-replay"), run, "--no-rich"], own_game, "verifiers")
    check = [*venv.script("vf-validate"), "connect-four", "-n", "3", "--no-rich"]
    text = call([*check, "--runtime.type", "subprocess", "-o", tmp_path], own_game, "verifiers")
    assert text.count("valid=True") == 3, text


def rewards(run: Path) -> list[float]:
    """Total reward of each rollout that a Verifiers run wrote."""
    episodes = map(json.loads, (run / "traces.jsonl").read_text("utf-8").splitlines())
    return [
        t["rewards"]["episode_return"]["score"] for episode in episodes for t in episode["traces"]
    ]


@pytest.mark.parametrize(
    "agent",
    some(["connect_four_agent", "connect_four_gymnasium_agent"], []),
)
def test_nemo_gyms_own_runner_collects_rollouts(own_game: Path, tmp_path: Path, agent: str) -> None:
    venv = venv_of(own_game, "nemo_gym")
    rows, output = tmp_path / "rows.jsonl", tmp_path / "results" / "rollouts.jsonl"
    written = call([venv.python, "server.py", "rows", "train", "--label"], own_game, "nemo_gym")
    lines = [line for line in written.splitlines(keepends=True) if line.startswith("{")]
    rows.write_text("".join(lines[:COUNT]), "utf-8")
    bundled = pipeline.bundle(own_game, "nemo_gym", tmp_path / "bundle").folder
    mark = tmp_path.as_posix()  # other tests' Rays may be running
    # NeMo Gym's own model server sends no header of ours: a row's `user` names its episode. And its
    # own agent leaves out the type of a message.
    manners = {"labels_in_body": True, "untyped_messages": agent.endswith("gymnasium_agent")}
    with PolicyEndpoint(scripts_of(own_game), **manners) as endpoint:
        run = [venv.python, bundled / "native.py", "--model", "oracle", "--agent", agent]
        files = ["--base-url", endpoint.base_url, "--input", rows, "--output", output]
        call([*run, *files], own_game, "nemo_gym", **{MARK: mark})
    found = [json.loads(line) for line in output.read_text("utf-8").splitlines()]
    assert [row["reward"] for row in found] == [1.0] * COUNT
    assert not commands(marked(mark))


CLIENT = """\
import json, sys
from openreward import EnvironmentsAPI

url, script = sys.argv[1], json.loads(sys.argv[2])
with EnvironmentsAPI(base_url=url, api_key="") as api:
    environment = api.get("connect_four", variant="connect_four")
    tasks = environment.list_tasks("train")
    total = 0.0
    with environment.session(task=tasks[0]) as session:
        prompt = session.get_prompt()
        for tool, arguments in script:
            answer = session.call_tool(tool, arguments)
            total += answer.reward or 0.0
    print(json.dumps({"total": total, "finished": answer.finished, "tasks": len(tasks),
                      "prompt": [block.text for block in prompt]}))
"""


def test_the_official_openreward_client_plays_the_ors_variant(
    own_game: Path, tmp_path: Path
) -> None:
    venv = venv_of(own_game, "ors")
    turns = next(iter(scripts_of(own_game)["oracle"].values()))
    script = [(turn.calls[0].tool, dict(turn.calls[0].arguments)) for turn in turns]
    program = tmp_path / "client.py"
    program.write_text(CLIENT)
    with serving(own_game, "ors", tmp_path / "log") as url:
        text = call([venv.python, program, url, json.dumps(script)], own_game, "ors")
    found = json.loads(text.splitlines()[-1])
    assert (found["total"], found["finished"], found["tasks"]) == (1.0, True, 40)
    assert "Your move" in "".join(found["prompt"])


@pytest.mark.parametrize(
    "framework",
    some(FRAMEWORKS, []),
)
def test_a_variant_runs_by_hand_with_uv_and_nothing_of_ours(
    framework: str, own_game: Path, tmp_path: Path
) -> None:
    from uv import find_uv_bin

    from skill_tools.runtime import interpreters

    python = interpreters.find(FRAMEWORKS[framework].python)
    write = partial(as_text, load(own_game))
    with PolicyEndpoint({"oracle": scripts_of(own_game)["oracle"]}, write) as endpoint:
        command = [find_uv_bin(), "run", "--quiet", "python", "rollout.py", "--model", "oracle"]
        options = ["--base-url", endpoint.base_url, "--index", "0-1", "--output", tmp_path / "out"]
        environment = {"UV_PYTHON": str(python), "HOME": os.environ["HOME"]}
        text = call([*command, *options], own_game, framework, **environment)
    assert "You dropped X into column" in text
    lines = [json.loads(line) for line in (tmp_path / "out").read_text("utf-8").splitlines()]
    assert [line["return"] for line in lines] == [1.0, 1.0]
