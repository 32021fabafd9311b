"""One worker by itself: what it takes and refuses, and a Space, which is one."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import httpx
import pytest
import yaml

from skill_tools.frameworks.rules import load
from skill_tools.pipeline import render
from skill_tools.pipeline.deployments import deploy
from skill_tools.policies.scripted import as_text
from skill_tools.policies.server import PolicyEndpoint
from skill_tools.reference.playbook import write_scripts
from skill_tools.rollouts.options import RolloutOptions
from skill_tools.rollouts.rollout import RolloutProcess, roll_out, variant_venv
from tests.conftest import WORDLE
from tests.live.conftest import AUTHORS
from tests.live.frameworks import FRAMEWORKS
from tests.live.served import environment, free_port, wait_until_it_answers

from .engine import holding, started, until
from .test_balanced import SERVED, solutions

pytestmark = [pytest.mark.live, pytest.mark.everything("deploy")]
SPACES = [name for name in SERVED if FRAMEWORKS[name].affinity.space]  # type: ignore[union-attr]
MOST, ASKED, PLAYED = 4, 7, 3


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    env = tmp_path_factory.mktemp("workers") / "wordle"
    shutil.copytree(WORDLE, env, ignore=AUTHORS)
    render(env, SERVED)
    return env


def python(folder: Path, framework: str) -> Path:
    return variant_venv(load(folder), folder, FRAMEWORKS[framework]).python


@contextmanager
def working(command: list[str], bundle: Path, framework: str, port: int) -> Iterator[str]:
    """A worker that is started in its folder; yields its URL."""
    log = bundle.parent / "worker.log"
    with started(command, log, cwd=bundle, env=environment(framework)) as process:
        url = f"http://127.0.0.1:{port}"
        wait_until_it_answers(f"{url}/ready", lambda: process.poll() is None, log)
        yield url


@pytest.mark.parametrize("framework", SERVED)
def test_a_full_worker_refuses_clearly_and_takes_new_sessions_when_others_end(
    framework: str, folder: Path, tmp_path: Path
) -> None:
    bundle = deploy(folder, framework, "compose", tmp_path / "made").folder / "_bundle"
    program, port = python(folder, framework), free_port()
    app = FRAMEWORKS[framework].affinity.app  # type: ignore[union-attr]
    command = [str(program), "-m", app, "--port", str(port), "--max-sessions", str(MOST)]

    def ready() -> int:
        return httpx.get(f"{url}/ready", trust_env=False).status_code

    with working(command, bundle, framework, port) as url:
        assert ready() == 200
        known = solutions(folder, ASKED)
        with holding(program, bundle, framework, url, known, tmp_path) as client:
            refused, _ = client.ask("open", *range(ASKED))
            assert len(refused) == ASKED - MOST
            for what in refused.values():
                assert re.search(r"429|capacity", what, re.IGNORECASE)
            assert ready() == 404
            won = [what for what in client.ask("play", "")[0].values() if what == [1.0, True]]
            assert len(won) == MOST
        until(lambda: ready() == 200, "it takes new ones", lambda: "")


@pytest.mark.parametrize("framework", SPACES)
def test_a_space_begins_with_its_card_and_plays_as_its_image_starts_it(
    framework: str, folder: Path, tmp_path: Path
) -> None:
    spec = load(folder)
    bundle = deploy(folder, framework, "spaces", tmp_path / "made").folder / "_bundle"
    card = yaml.safe_load((bundle / "README.md").read_text("utf-8").split("---\n")[1])
    image = (bundle / "Dockerfile").read_text("utf-8")
    assert card["sdk"] == "docker"
    assert card["title"] == "Wordle"
    assert f"EXPOSE {card['app_port']}\n" in image
    assert "USER user\n" in image
    start = json.loads(image.rpartition("CMD ")[2])
    port = free_port()
    command = [
        {"python": str(python(folder, framework)), str(card["app_port"]): str(port)}.get(w, w)
        for w in start
    ]
    scripts = {"oracle": write_scripts(spec, folder, "train", PLAYED)[1]["oracle"]}
    with (
        working(command, bundle, framework, port) as url,
        PolicyEndpoint(scripts, partial(as_text, spec)) as endpoint,
    ):
        played = roll_out(
            RolloutProcess(folder, framework, variant_venv(spec, folder, FRAMEWORKS[framework]), url=url),
            ["oracle"],
            RolloutOptions(base_url=endpoint.base_url, split="train", indices=(0, PLAYED - 1)),
        )  # fmt: skip
    assert [trajectory.total for trajectory in played] == [1.0] * PLAYED
