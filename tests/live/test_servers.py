"""A rollout plays against the server it means, or says why not."""

from __future__ import annotations

import socket
import subprocess
from pathlib import Path

import pytest

from skill_tools.errors import RolloutError
from skill_tools.frameworks.rules import load
from skill_tools.pipeline import render
from skill_tools.reference.playbook import write_scripts
from skill_tools.rollouts.rollout import variant_venv
from tests.conftest import write_counter
from tests.live.frameworks import FRAMEWORKS
from tests.selection import some

from .rolled import roll
from .served import SERVERS, environment, free_port, serving


def play(folder: Path, framework: str, url: str) -> list:
    tasks, scripts = write_scripts(load(folder), folder, None, 2)
    oracle = {"oracle": scripts["oracle"]}
    return roll(folder, framework, oracle, 2, split=tasks.split, url=url)


@pytest.mark.parametrize("framework", some(SERVERS, ["openenv"]))
def test_a_running_server_is_played_and_another_environments_is_refused(
    framework: str, game: Path, tmp_path: Path
) -> None:
    counter = write_counter(tmp_path / "counter")
    render(counter)
    with serving(game, framework, tmp_path / "log") as url:
        assert [t.total for t in play(game, framework, url)] == [1.0, 1.0]
        with pytest.raises(RolloutError, match=r"serves .*not 'counter'"):
            play(counter, framework, url)


@pytest.mark.parametrize("framework", some(SERVERS, ["openenv"]))
def test_a_port_in_use_is_an_error_that_names_it(framework: str, game: Path) -> None:
    venv = variant_venv(load(game), game, FRAMEWORKS[framework])
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        run = subprocess.run(
            [venv.python, *SERVERS[framework], "--port", port],
            cwd=game / framework,
            env=environment(framework),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert run.returncode != 0
    assert port in run.stdout + run.stderr
    assert "in use" in run.stdout + run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize("framework", some(SERVERS, ["openenv"]))
def test_a_url_where_nothing_listens_is_an_error(framework: str, game: Path) -> None:
    with pytest.raises(RolloutError, match=r"(?i)error"):
        play(game, framework, f"http://127.0.0.1:{free_port()}")


# Each framework with one of the models, turn about, and three of them by default.
KEYS = [("gpt-5-mini", "OPENAI_API_KEY"), ("org/model:fast", "HF_TOKEN")]
ASKED = [
    pytest.param(
        name,
        *key,
        id=f"{name}-{key[1]}",
        marks=(
            []
            if number % 2 == place and name in ("openenv", "verifiers", "gem")
            else pytest.mark.everything("frameworks")
        ),
    )
    for number, name in enumerate(FRAMEWORKS)
    for place, key in enumerate(KEYS)
]


@pytest.mark.parametrize(("framework", "model", "secret"), ASKED)
def test_a_missing_key_is_named(
    framework: str, model: str, secret: str, game: Path, tmp_path: Path
) -> None:
    venv = variant_venv(load(game), game, FRAMEWORKS[framework])
    run = subprocess.run(
        [venv.python, "rollout.py", "--model", model, "--output", tmp_path / "out"],
        cwd=game / framework,
        env={k: v for k, v in environment(framework).items() if k != secret},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode != 0
    assert f"{secret} is not set" in run.stderr
    assert not list(tmp_path.iterdir())
