"""TRL's `OpenRewardSpec` over a server of the ORS variant: what an episode is paid."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from skill_tools import pipeline
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.runtime import interpreters, venvs
from skill_tools.runtime.environment import child_environment
from tests.conftest import link_harness
from tests.live.served import serving
from tests.live.test_trainers import counter

HERE = Path(__file__).parent
REQUIREMENTS = (
    *FRAMEWORKS["trl"].requirements,
    *FRAMEWORKS["ors"].requirements,
    "datasets",
    "jsonschema",
    "httpx",
)
MODEL = """
import sys, rollout
rollout.bytes_as_tokens().save_pretrained(sys.argv[1])
rollout.smallest_model().save_pretrained(sys.argv[1])
"""
"""A tokenizer that can say anything, and a model that nobody asks."""
pytestmark = pytest.mark.everything("trl")


def facts(folder: Path, url: str) -> dict[str, Any]:
    """What TRL makes of the served counter."""
    base = venvs.base([*REQUIREMENTS], interpreters.find(">=3.11,<3.13"))
    quiet = {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
    quiet |= {"OPENREWARD_SESSION_URL": url, "OPENREWARD_DISABLE_UPDATE_CHECK": "1"}
    model, counter = folder / "model", folder / "counter"
    (folder / "counter_domain").symlink_to(counter, target_is_directory=True)
    link_harness(folder)
    path = {"PYTHONPATH": f"{folder}:{counter / 'trl'}", "HF_HOME": str(folder / "hub")}
    for program in (
        ["-c", MODEL, model],
        [HERE / "openreward_facts.py", url, model, counter / "ors" / "README.md"],
    ):
        found = subprocess.run(
            [base.python, *program],
            cwd=folder,
            env=child_environment({**quiet, **path}),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert found.returncode == 0, found.stderr[-4000:]
    told: dict[str, Any] = json.loads(found.stdout.splitlines()[-1])
    return told


@pytest.fixture(scope="module", params=["terminal", "per_step"])
def paid(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Any]:
    """By whose reward function, and by the episode, what TRL pays."""
    folder = tmp_path_factory.mktemp("openreward")
    made = counter(folder / "counter", "ors", request.param)
    pipeline.render(made, ["ors", "trl"])  # TRL's variant has the model
    with serving(made, "ors", folder / "log") as url:
        return {"timing": request.param, **facts(folder, url)}


def test_the_lines_of_the_page_pay_what_the_environment_does(paid: dict[str, Any]) -> None:
    told = paid["lines of the page"]
    stopped = {"terminal": 0.0, "per_step": 0.2}[paid["timing"]]
    assert {name: each["paid"] for name, each in told.items()} == {
        "won": pytest.approx(1.0),
        "won, then goes on": pytest.approx(1.0),
        "stopped": pytest.approx(stopped),
        "broken": None,
    }
    assert {tuple(each["tools"]) for each in told.values()} == {("add", "look")}


def test_trls_own_reward_function_keeps_the_last_reward_alone(paid: dict[str, Any]) -> None:
    told = {name: each["paid"] for name, each in paid["TRL's own"].items()}
    if (
        paid["timing"] == "terminal"
    ):  # it never calls the terminal tool, which would say what stopping pays
        assert told == {"won": 1.0, "won, then goes on": 1.0, "stopped": None, "broken": None}
    else:
        last = {"won": 0.4, "won, then goes on": 0.4, "stopped": 0.2, "broken": 0.2}
        assert told == {name: pytest.approx(value) for name, value in last.items()}
