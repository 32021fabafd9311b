"""An environment of one message as a reward function, by the released code of trainers."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from skill_tools import pipeline
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.frameworks.rules import load
from skill_tools.rollouts.rollout import variant_venv
from skill_tools.runtime import interpreters, venvs
from skill_tools.runtime.environment import child_environment
from tests.conftest import ROOT, link_harness

from .pages import lines
from .test_trainers_from_source import RLLM, SHARED, source
from .test_trainers_page import COMMON, PROGRAMS, TOGETHER, UNUSED

pytestmark = pytest.mark.everything("trl")
ENVIRONMENTS = {
    "single-turn": {
        "Answer: 2050": 1.0,
        "<think>Answer: 7</think>\n50 * 41 is 2050.\nAnswer: 2050": 1.0,
        "Answer: 2051": 0.0,
        "<think>\nAnswer: 2050": 0.0,
        "": 0.0,
    },
    "function_calling": {
        '<tool_call>{"name": "get_weather", "arguments": {"city": "Lima"}}</tool_call>'
        '<tool_call>{"name": "get_weather", "arguments": {"city": "Perth"}}</tool_call>': 1.0,
        '<tool_call>{"name": "get_weather", "arguments": {"city": "Lima"}}</tool_call>': 0.0,
        "NONE": 0.0,
    },
}
"""Messages to the first task of each environment, and what they earn."""
QUIET = {
    "HF_HUB_OFFLINE": "1",
    "OMP_NUM_THREADS": "1",
    "CUDA_VISIBLE_DEVICES": "",
    "RAY_AUTH_MODE": "disabled",
}


@pytest.fixture(scope="module", params=list(ENVIRONMENTS))
def environment(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """An environment rendered for TRL, with the folder in which its package is found."""
    place = tmp_path_factory.mktemp("scored")
    folder = place / "word_sums"
    if request.param == "single-turn":
        pipeline.new(folder, request.param)
    else:
        shutil.copytree(ROOT / f"tests/live/public_envs/{request.param}_env", folder)
    pipeline.render(folder, ["trl"], force=True)
    (place / load(folder).package).symlink_to(folder, target_is_directory=True)
    link_harness(place)
    return place, folder, ENVIRONMENTS[request.param]


def rows_for(place: Path, folder: Path, trainer: str) -> Path:
    """The rows that `reward.py` writes."""
    venv = variant_venv(load(folder), folder, FRAMEWORKS["trl"])
    run = subprocess.run(
        [venv.python, "reward.py", "train", "--trainer", trainer],
        cwd=folder / "trl",
        env=child_environment(FRAMEWORKS["trl"].environment),
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    rows = place / f"{trainer}.jsonl"
    rows.write_text(run.stdout, "utf-8")
    return rows


@pytest.mark.parametrize("trainer", ["verl", "openrlhf"])
def test_a_trainer_scores_messages_as_the_environment_does(environment: Any, trainer: str) -> None:
    place, folder, messages = environment
    rows = rows_for(place, folder, trainer)
    wanted = ("openrlhf==0.11.2", "aiohttp", "transformers") if trainer == "openrlhf" else TOGETHER
    left_out = (*UNUSED, "ray") if trainer == "openrlhf" else UNUSED
    base = venvs.base([*COMMON, *wanted], interpreters.find(">=3.11,<3.13"), without=left_out)
    arguments = folder / "trl" / "reward.py", rows
    assert scores(base, trainer, place, messages, *arguments) == list(messages.values())


def test_tinker_scores_messages_by_the_code_of_the_page(environment: Any) -> None:
    place, folder, messages = environment
    module = page_module(place, folder, "tinker")
    base = venvs.base([*COMMON, *TOGETHER], interpreters.find(">=3.11,<3.13"), without=UNUSED)
    assert scores(base, "tinker", place, messages, module) == list(messages.values())


def test_nemo_rl_scores_messages_by_the_code_of_the_page(environment: Any) -> None:
    place, folder, messages = environment
    module, rows = page_module(place, folder, "nemo_rl"), rows_for(place, folder, "nemo_rl")
    base = venvs.base(SHARED, interpreters.find(">=3.11,<3.13"))
    paths = (source("NVIDIA-NeMo/RL", "nemo_rl", place / "RL"),)
    found = scores(base, "nemo_rl", place, messages, module, rows, paths=paths)
    assert found == list(messages.values())


def test_rllm_scores_messages_by_the_code_of_the_page(environment: Any) -> None:
    place, folder, messages = environment
    module = page_module(place, folder, "rllm")
    base = venvs.base(RLLM, interpreters.find(">=3.11,<3.13"))
    gateway = source("rllm-org/rllm", "rllm-model-gateway", place / "rLLM")
    rllm = source("rllm-org/rllm", "rllm", place / "rLLM")
    paths = rllm, gateway / "rllm-model-gateway" / "src"
    found = scores(base, "rllm", place, messages, module, paths=paths)
    assert found == list(messages.values())


def page_module(place: Path, folder: Path, trainer: str) -> str:
    """Write the page's code for a trainer as a module for this environment, and return the module's name."""
    name = f"counter_reward_{trainer}"
    code = lines(f"my_game_reward_{trainer}.py").replace("counter_domain", load(folder).package)
    (place / f"{name}.py").write_text(code, "utf-8")
    return name


def scores(
    base: venvs.Venv,
    trainer: str,
    place: Path,
    messages: dict[str, float],
    *arguments: str | Path,
    paths: tuple[Path, ...] = (),
) -> list[float]:
    """The scores of all messages to the first task, by a trainer's own code."""
    found = {**QUIET, "PYTHONPATH": ":".join(map(str, (PROGRAMS, place, *paths)))}
    run = subprocess.run(
        [base.python, PROGRAMS / f"{trainer}_reward_facts.py", *arguments],
        input=json.dumps(list(messages)),
        cwd=place,
        env=child_environment({**found, "HF_HOME": str(place / "hub")}),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-4000:]
    read: list[float] = json.loads(run.stdout.splitlines()[-1])
    return read
