"""Unsloth's released trainer over the variant for TRL, whose trainers it makes anew, on a CPU."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from skill_tools import pipeline
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.runtime import interpreters, venvs
from skill_tools.runtime.environment import child_environment
from tests.conftest import link_harness, write_counter
from tests.live.test_text_variants import EVERY_TYPE, WATCHED

from .pages import lines

HERE = Path(__file__).parent
RELEASE = "unsloth==2026.10.9"
UNUSED = ("torchvision", "xformers")
"""Made for a PyTorch with CUDA; the second is one of several ways to compute attention."""
MAKE_A_MODEL = """
import sys, rollout as r
r.bytes_as_tokens().save_pretrained(sys.argv[1])
r.smallest_model().save_pretrained(sys.argv[1])
"""
pytestmark = pytest.mark.everything("trl")


@pytest.fixture(scope="module")
def counter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The counter for TRL, which breaks when it is asked to, and a model of bytes beside it."""
    folder = tmp_path_factory.mktemp("unsloth") / "counter"
    write_counter(folder, env=[("game:Counter", "game:Watched"), ("episode:", EVERY_TYPE)])
    with (folder / "game.py").open("a") as file:
        file.write(WATCHED)
    pipeline.render(folder, ["trl"])
    (folder.parent / "counter_domain").symlink_to(folder, target_is_directory=True)
    link_harness(folder.parent)
    run(folder, "-c", MAKE_A_MODEL, folder.parent / "model")
    return folder


def run(counter: Path, *arguments: str | Path) -> str:
    """Run Python in the variant's folder, with Unsloth beside the variant's own requirements."""
    trl = FRAMEWORKS["trl"]
    wanted = [RELEASE, *trl.requirements, "jsonschema", "pillow"]
    base = venvs.base(wanted, interpreters.find(trl.python), without=UNUSED)
    found = subprocess.run(
        [base.python, *arguments],
        cwd=counter / "trl",
        env=child_environment({**trl.environment, "PYTHONPATH": f".:{counter.parent}"}),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert found.returncode == 0, found.stderr[-4000:]
    return found.stdout + found.stderr


def test_unsloths_trainer_plays_and_pays_as_trls_own(counter: Path) -> None:
    program = HERE / "trainers" / "unsloth_facts.py"
    printed = run(counter, program, HERE / "facts.py", counter.parent / "model")
    told = json.loads(next(line for line in printed.splitlines() if line.startswith('{"schemas')))
    won = told["won"]
    assert (won["paid"], won["asked"]) == (1.0, won["turns"])
    assert told["won, then goes on"] == won, "the model is asked no more"
    assert told["stopped"]["paid"] == 0.0
    for name, error in {
        "unknown tool": "unknown_tool",
        "wrong argument": "invalid_arguments",
        "out of bounds": "invalid_arguments",
    }.items():
        assert (told[name]["errors"][0], told[name]["paid"]) == (error, 1.0)
    for name in ("breaks in a call", "breaks at the start"):
        assert told[name]["paid"] is None, "left out of the group"
    assert told["schemas"], "as every other variant shows them"
    assert "0 worlds are open" in printed


def test_the_lines_of_the_page_take_steps(counter: Path) -> None:
    page = lines("my_game_unsloth.py")
    for on_a_gpu, here in {
        "unsloth/Qwen3-0.6B": str(counter.parent / "model"),
        "load_in_4bit=True": "load_in_4bit=False",
        "max_steps=200": "max_steps=2, logging_steps=1",
        "max_completion_length=2048": "max_completion_length=200",
    }.items():
        assert page.count(on_a_gpu) == 1
        page = page.replace(on_a_gpu, here)
    (counter.parent / "train.py").write_text(page)
    printed = run(counter, HERE / "trainers" / "unsloth_facts.py", counter.parent / "train.py")
    assert "'episodes/failed': '0'" in printed
    assert (counter / "trl" / "trained" / "checkpoint-2").is_dir()
