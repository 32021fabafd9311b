"""The rendered batch script on a real SLURM: one address, 64 sessions, a drain that outlasts them."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from skill_tools.frameworks.rules import load
from skill_tools.pipeline import render
from skill_tools.pipeline.deployments import Scale, deploy
from skill_tools.rollouts.rollout import variant_venv
from tests.conftest import WORDLE
from tests.live.conftest import AUTHORS
from tests.live.frameworks import FRAMEWORKS

from .engine import NEEDS_HAPROXY, holding, until
from .slurm import KILL_WAIT, MISSING, Cluster, cluster
from .test_balanced import SERVED, solutions

pytestmark = [
    pytest.mark.live,
    pytest.mark.everything("deploy"),
    NEEDS_HAPROXY,
    pytest.mark.skipif(bool(MISSING), reason=f"SLURM lacks {', '.join(MISSING)}; see .ci/run"),
]
COUNT = 64
PLACE = re.compile(r"^address (http://\S+)$", re.MULTILINE)


@pytest.fixture(scope="module")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("slurm")) as found:
        yield found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    env = tmp_path_factory.mktemp("slurm") / "wordle"
    shutil.copytree(WORDLE, env, ignore=AUTHORS)
    render(env, SERVED)
    return env


@pytest.mark.parametrize("framework", SERVED)
def test_a_job_serves_at_one_address_and_drains(
    framework: str, slurm: Cluster, folder: Path, tmp_path: Path
) -> None:
    made = deploy(folder, framework, "slurm", tmp_path / "made", scale=Scale(sessions=64)).folder
    python = variant_venv(load(folder), folder, FRAMEWORKS[framework]).python
    job = slurm.run("sbatch", "--parsable", "serve.sbatch", cwd=made, PYTHON=str(python))
    address, log = (
        made / f"run-{job}" / "address",
        made / f"wordle-{framework.replace('_', '-')}-{job}.log",
    )

    def said() -> str:
        return log.read_text() if log.exists() else slurm.logs()

    until(lambda: address.exists() or slurm.state(job) == "FAILED", "it serves", said, 90)
    assert address.exists(), said()
    assert PLACE.findall(said()) == [address.read_text().strip()]
    known = solutions(folder, COUNT)
    url = address.read_text().strip()
    with holding(python, made / "_bundle", framework, url, known, tmp_path) as client:
        assert client.ask("open", *range(COUNT))[0] == {}
        slurm.run("scancel", "--batch", "--signal=TERM", job)
        until(lambda: "draining" in said(), "it drains", said)
        late = time.monotonic() + KILL_WAIT + 4  # a worker without sessions would be gone
        until(lambda: time.monotonic() > late, "some seconds have passed", said)
        assert slurm.state(job) == "RUNNING", said()
        assert list(client.ask("play", "")[0].values()) == [[1.0, True]] * COUNT
    until(lambda: slurm.state(job) not in ("RUNNING", "COMPLETING"), "the job ends", said)
    assert said().rstrip().endswith("ended")
    assert not address.exists()


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"PYTHON": "/nowhere/python"}, "there is no /nowhere/python\n    fix: make .venv"),
        ({"PYTHON": "/bin/true"}, "the workers ended before they listened"),
    ],
)
def test_a_job_that_cannot_serve_says_why_and_ends(
    settings: dict[str, str], expected: str, slurm: Cluster, folder: Path, tmp_path: Path
) -> None:
    made = deploy(folder, "ors", "slurm", tmp_path / "made", scale=Scale(sessions=64)).folder
    job = slurm.run("sbatch", "--parsable", "serve.sbatch", cwd=made, **settings)
    log = made / f"wordle-ors-{job}.log"

    def said() -> str:
        return log.read_text() if log.exists() else slurm.logs()

    until(lambda: slurm.state(job) == "FAILED", "the job fails", said, 60)
    assert expected in said()
