"""docs/train.md: its lines, and what works as it is, by the released code of each trainer.

Only the engine is ours, which says given messages where a model on a GPU would.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

import skill_tools
from skill_tools import pipeline
from skill_tools.runtime import interpreters, venvs
from skill_tools.runtime.environment import child_environment
from tests.conftest import link_harness, write_counter
from tests.live.test_trainers import BREAKS

from .pages import lines

PROGRAMS = Path(__file__).parent / "trainers"
RELEASES = {
    "verl": "verl==0.9.1",
    "openrlhf": "openrlhf==0.11.2",
    "tinker": "tinker-cookbook==0.6.1",
    "skyrl": "skyrl==0.3.0",
}
COMMON = ("torch", "datasets", "jsonschema", "pillow")
TOGETHER = (
    "loguru", "tqdm", "omegaconf", "cachetools", "uvicorn", "fastapi", "skyrl-gym>=0.4,<0.5", *(RELEASES[n] for n in ("verl", "tinker", "skyrl"))  # noqa: E501
)  # fmt: skip
"""Three agree on their releases of Transformers; OpenRLHF wants another."""
UNUSED = (
    "tml-renderers",
    "wandb", "tensorboard", "pybind11", "pyrage", "hf-transfer", "cloudpathlib", "bitsandbytes",
    "deepspeed", "flash-attn", "loralib", "optimum", "torchmetrics", "transformers-stream-generator",
)  # fmt: skip
"""What they require for training and logging, and nothing that plays an episode imports."""
TRAINED = {
    "won": '<add amount="9"/>|<add amount="6"/>|',
    "lost": '<add amount="3"/>|' + "No call at all.|" * 5,
    "stopped": '<add amount="3"/>|<end_episode/>|',
}
"""The model's own messages, and nothing else, with | for the end of each."""
BROKEN = "EpisodeFailed: the environment failed in add(): AssertionError"
pytestmark = pytest.mark.everything("trl")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the counter, rows for the trainers, and the page's modules."""
    folder = tmp_path_factory.mktemp("trainers")
    counter = write_counter(folder / "counter", game=[BREAKS], tasks=('"seed": i,', '"seed": 7,'))
    pipeline.render(counter, ["skyrl_gym"])
    for trainer in ("skyrl", "verl"):
        skill_tools.write_dataset(counter, folder / f"{trainer}.jsonl", trainer, "train")
    for name in ("verl.py", "openrlhf.py", "tinker.py", "loops.yaml"):
        (folder / f"counter_{name}").write_text(lines(f"my_game_{name}"))
    (folder / "counter_domain").symlink_to(counter, target_is_directory=True)
    link_harness(folder)
    return folder


def facts(place: Path, trainer: str, *arguments: str) -> dict[str, Any]:
    """What a program tells of the episodes that a trainer played."""
    wanted = ("openrlhf==0.11.2", "aiohttp", "transformers") if trainer == "openrlhf" else TOGETHER
    left_out = (*UNUSED, "ray") if trainer == "openrlhf" else UNUSED
    base = venvs.base([*COMMON, *wanted], interpreters.find(">=3.11,<3.13"), without=left_out)
    path = ":".join(map(str, (PROGRAMS, place, place / "counter" / "skyrl_gym")))
    quiet = {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
    found = subprocess.run(
        [base.python, PROGRAMS / f"{trainer}_facts.py", *arguments],
        cwd=place,
        env=child_environment({**quiet, "PYTHONPATH": path, "HF_HOME": str(place / "hub")}),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert found.returncode == 0, found.stderr[-4000:]
    told: dict[str, Any] = json.loads(found.stdout.splitlines()[-1])
    return told


def test_openrlhf_plays_the_lines_of_the_page(place: Path) -> None:
    told = facts(place, "openrlhf", "skyrl.jsonl")
    for name, trained in TRAINED.items():
        assert told[name]["return"] == told[name]["score"] == (name == "won")
        assert told[name]["trained"] == trained
    assert told["lost"]["logged"] == {"turns": 6}
    answered = '<add amount="9"/><|im_end|>\n<|im_start|>user\nThe counter is at 9. <|im_end|>\n<|im_start|>assistant\n'
    assert answered in told["won"]["shown"], "as the chat template writes it"
    assert told["broken"].startswith(BROKEN), "and no score"
    assert told["cut"]["return"] == 0
    assert told["cut"]["trained"] in TRAINED["won"]


def test_skyrl_plays_the_variant_as_it_is(place: Path) -> None:
    told = facts(place, "skyrl", "skyrl.jsonl")
    for name, trained in TRAINED.items():
        won = float(name == "won")
        assert told[name]["returns"] == [won] * 2
        assert told[name]["rewarded"] == ([1.0] if won else [])
        assert told[name]["trained"] == trained
        assert told[name]["metrics"]["environment/return"] == won
        assert not told[name]["env"]["failed"]
    assert told["lost"]["env"]["truncated"]
    # The generator has no place for an episode without a score: it is named, or it ends the step.
    assert told["broken"]["env"] == {"failed": True}
    assert told["broken"]["metrics"] == {"environment/failed": 1.0}
    assert told["raised"].startswith(BROKEN)


def test_tinkers_cookbook_plays_the_lines_of_the_page(place: Path) -> None:
    told = facts(place, "tinker")
    for name, trained in TRAINED.items():
        assert told[name]["returns"] == [float(name == "won")] * 2
        assert told[name]["trained"] == trained
    assert told["broken"].startswith(BROKEN), "which the default strategy lets through"
    some = told["one of three breaks"]
    assert sorted(some["returns"]) == [0.0, 1.0], "of three episodes two are left"
    assert len(some["errors"]) == 1
    assert BROKEN.partition(": ")[2] in some["errors"][0]


def test_verl_plays_the_lines_of_the_page(place: Path) -> None:
    told = facts(
        place, "verl", "verl.jsonl", str(place / "counter_loops.yaml"), str(place / "model")
    )
    for name, trained in TRAINED.items():
        assert told[name]["returns"] == [float(name == "won")] * 2
        assert told[name]["trained"] == trained
        assert told[name]["logprobs"], "where the model spoke, and nowhere else"
    better, worse = told["won and stopped"]["advantages"]
    assert better > 0 > worse
    assert told["won and stopped"]["returns"] == [1.0, 0.0]
    assert told["broken"].startswith(BROKEN), "and no score"
