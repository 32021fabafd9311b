"""The rendered balancer and workers of each served framework, with 64 sessions for each of two workers."""

from __future__ import annotations

import shutil
import signal
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

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

from .engine import NEEDS_HAPROXY, Engine

pytestmark = [pytest.mark.live, pytest.mark.everything("deploy"), NEEDS_HAPROXY]
SERVED = [name for name, facts in FRAMEWORKS.items() if facts.affinity]
COUNT = 128
"""Sessions at once, 64 a worker."""
MORE = 8
SECONDS = 2.0
"""In which a new session is served after a worker was killed."""


@pytest.fixture(scope="module", params=SERVED)
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Wordle's author's files, rendered, and its deployment beside it."""
    folder = tmp_path_factory.mktemp(request.param) / "wordle"
    shutil.copytree(WORDLE, folder, ignore=AUTHORS)
    render(folder, [request.param])
    deploy(folder, request.param, "compose")
    return folder


@pytest.fixture
def engine(served: Path, tmp_path: Path) -> Iterator[Engine]:
    (made,) = served.parent.glob("wordle_*_compose")
    framework = made.name.removeprefix("wordle_").removesuffix("_compose")
    with Engine(served, framework, made, tmp_path) as found:
        yield found


def solutions(folder: Path, count: int) -> list[str]:
    """The word that solves each of the first tasks."""
    scripts = write_scripts(load(folder), folder, "train", count)[1]["oracle"]
    return [script[-1].calls[0].arguments["word"] for script in scripts.values()]  # type: ignore[index]


def test_the_oracle_wins_every_episode_through_the_balancer(engine: Engine) -> None:
    spec = load(engine.folder)
    scripts = {"oracle": write_scripts(spec, engine.folder, "train", COUNT)[1]["oracle"]}
    with PolicyEndpoint(scripts, partial(as_text, spec)) as endpoint:
        played = roll_out(
            RolloutProcess(
                engine.folder,
                engine.framework,
                variant_venv(spec, engine.folder, FRAMEWORKS[engine.framework]),
                url=engine.url,
            ),
            ["oracle"],
            RolloutOptions(
                base_url=endpoint.base_url,
                split="train",
                indices=(0, COUNT - 1),
                concurrency=COUNT,
            ),
        )
    assert [trajectory.total for trajectory in played] == [1.0] * COUNT
    assert engine.carried() == 2, "both workers carry sessions"


def test_a_killed_worker_takes_its_own_sessions_along_and_no_others(engine: Engine) -> None:
    known = solutions(engine.folder, COUNT + MORE)
    victim, survivor = engine.addresses
    with engine.client(known) as client, engine.client(known) as other:
        assert client.ask("open", *range(COUNT))[0] == {}
        guess = next(word for word in ("crane", "slate", "audio") if word not in known)
        assert set(map(str, client.ask("play", guess)[0].values())) == {"[0.0, False]"}
        had = {address: engine.open(address) for address in engine.addresses}
        assert sum(had.values()) == COUNT
        assert min(had.values()) >= COUNT // 4, "both workers carry sessions"
        assert other.ask("open", 0)[0] == {}, "starting a client is no part of being served"
        engine.workers[victim].kill()
        failed, seconds = other.ask("open", *range(COUNT, COUNT + MORE))
        assert failed == {}
        assert seconds < SECONDS
        assert list(other.ask("play", "")[0].values()) == [[1.0, True]] * MORE
        came, _ = client.ask("play", "")
        failed = {index: what for index, what in came.items() if isinstance(what, str)}
        assert len(failed) == had[victim], failed
        assert [what for what in came.values() if what not in failed.values()] == [
            [1.0, True]
        ] * had[survivor]


def test_a_worker_that_drains_ends_its_sessions_and_is_sent_no_new_ones(engine: Engine) -> None:
    known = solutions(engine.folder, COUNT + MORE)
    leaver, stayer = engine.addresses
    with engine.client(known) as client, engine.client(known) as other:
        assert client.ask("open", *range(COUNT))[0] == {}
        had = engine.open(leaver)
        assert had > 0
        engine.workers[leaver].send_signal(signal.SIGTERM)
        engine.wait(lambda: engine.count() == 1, "the balancer sees that a worker drains", 3)
        before = engine.open(stayer)
        assert other.ask("open", *range(COUNT, COUNT + MORE))[0] == {}
        assert (engine.open(leaver), engine.open(stayer)) == (had, before + MORE)
        assert list(client.ask("play", "")[0].values()) == [[1.0, True]] * COUNT
        assert list(other.ask("play", "")[0].values()) == [[1.0, True]] * MORE
    start = time.monotonic()
    assert engine.workers[leaver].wait(20) == 0, "it ends when its sessions have"
    assert time.monotonic() - start < 15
