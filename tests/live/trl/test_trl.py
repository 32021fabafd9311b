"""TRL: the variant in its trainer's hands; a model that is trained by it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import skill_tools
from skill_tools import pipeline
from skill_tools.archetypes import STARTERS
from skill_tools.checks import Finding, needs
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.frameworks.rules import load
from skill_tools.rollouts.rollout import variant_venv
from skill_tools.runtime.environment import child_environment
from tests.conftest import CONNECT_FOUR, JUPYTER, ROOT, WORDLE, write_counter
from tests.live.conftest import AUTHORS
from tests.live.desktop.place import DESKTOP, here
from tests.live.test_text_variants import EVERY_TYPE, WATCHED
from tests.reports import unwanted

HERE = Path(__file__).parent
REFUND_DESK = ROOT / "corpora" / "mutants" / "controls" / "refund-desk"
COLUMNS = [
    f'<tool_call>\n{{"name": "drop_piece", "arguments": {{"column": {column}}}}}\n</tool_call>'
    for column in range(1, 8)
]
pytestmark = pytest.mark.everything("trl")


def run(folder: Path, *arguments: str | Path, code: int = 0) -> str:
    """Run a program in the variant's folder and venv; returns what it printed."""
    python = variant_venv(load(folder), folder, FRAMEWORKS["trl"]).python
    found = subprocess.run(
        [python, *arguments],
        cwd=folder / "trl",
        env=child_environment(
            {**FRAMEWORKS["trl"].environment, "OMP_NUM_THREADS": "1", "PYTHONPATH": "."}
        ),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert found.returncode == code, found.stderr[-4000:]
    return found.stdout + found.stderr


def left(found: pipeline.Outcome) -> list[Finding]:
    """What is unwanted; nothing is tried on desktops, whose episodes cost too much."""
    return [each for each in unwanted(found.report) if each.message != needs.PROBED.reason]


@pytest.mark.parametrize(
    "folder",
    # The refund desk has a line that ends every answer.
    [WORDLE, JUPYTER, pytest.param(DESKTOP, marks=here), CONNECT_FOUR, REFUND_DESK],
    ids=lambda folder: folder.name,
)
def test_an_environment_is_the_same_in_trls_own_loop(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "env", ignore=AUTHORS)
    found = pipeline.build(tmp_path / "env", ["trl"])
    assert left(found) == []
    assert len(found.evidence.variants.rollouts["trl"]["oracle"]) >= 4


@pytest.mark.parametrize(
    "starter", [pytest.param(name, marks=[here] if name == "desktop" else []) for name in STARTERS]
)
def test_a_starter_is_green(starter: str, tmp_path: Path) -> None:
    folder = tmp_path / "starter"
    pipeline.new(folder, starter)
    assert left(pipeline.build(folder, ["trl"])) == []


@pytest.fixture(scope="module")
def connect_four(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Connect four, rendered for TRL."""
    folder = tmp_path_factory.mktemp("trl") / "connect_four"
    shutil.copytree(CONNECT_FOUR, folder)
    pipeline.render(folder, ["trl"])
    return folder


def history(output: Path) -> list[dict[str, Any]]:
    """The log of a training run, a line per step."""
    lines = json.loads((output / "trainer_state.json").read_text())["log_history"]
    return [line for line in lines if "reward" in line]


def weights(folder: Path) -> bytes:
    return (folder / "model.safetensors").read_bytes()


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        ("tools", COLUMNS),
        ("text", [f"<drop_piece>{column}</drop_piece>" for column in range(1, 8)]),
    ],
)
def test_ten_steps_change_the_weights_and_a_run_goes_on_where_it_was_ended(
    connect_four: Path, tmp_path: Path, actions: str, said: list[str]
) -> None:
    model, output = tmp_path / "model", tmp_path / "trained"
    run(connect_four, HERE / "tiny_model.py", model, *said)
    asked = ["train.py", "--model", model, "--output", output, "--actions", actions]
    asked += ["--episodes", "8", "--tasks-per-step", "2", "--tokens", "400"]
    asked += ["--learning-rate", "1e-3", "--save", "5"]
    run(connect_four, *map(str, asked), "--steps", "10")
    log = history(output)
    assert len(log) == 10
    assert any(0 < line["reward"] < 1 for line in log), "chance wins some games, and not all"
    assert any(line["grad_norm"] > 0 for line in log)
    assert all(line["episodes/failed"] == 0 for line in log)
    assert weights(output) != weights(model)
    refused = run(connect_four, *map(str, asked), "--steps", "12", code=2)
    assert "has checkpoints; go on with --resume" in refused
    run(connect_four, *map(str, asked), "--steps", "12", "--resume")
    assert [line["step"] for line in history(output)] == [*range(1, 13)]


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What TRL's own trainer does with the counter, which breaks when it is asked to."""
    folder = tmp_path_factory.mktemp("facts") / "counter"
    write_counter(folder, env=[("game:Counter", "game:Watched"), ("episode:", EVERY_TYPE)])
    with (folder / "game.py").open("a") as file:
        file.write(WATCHED)
    pipeline.render(folder, ["trl"])
    program = "import sys, rollout as r; r.bytes_as_tokens().save_pretrained(sys.argv[1])"
    program += "; r.smallest_model().save_pretrained(sys.argv[1])"
    model = folder.parent / "model"
    run(folder, "-c", program, model)
    printed = run(folder, HERE / "facts.py", model)
    assert "0 worlds are open" in printed
    skill_tools.write_dataset(folder, folder.parent / "rows.jsonl", "trl", "train")
    first = (folder.parent / "rows.jsonl").read_text("utf-8").splitlines()[0]
    found: dict[str, Any] = json.loads(next(x for x in printed.splitlines() if x.startswith('{"')))
    return {**found, "rows of skill-tools": [json.loads(first)]}


def test_a_won_episode_is_paid_and_the_model_is_asked_no_more(facts: dict[str, Any]) -> None:
    won = facts["won"]
    assert won["paid"] == 1.0
    assert won["asked"] == won["turns"] == len(won["errors"])
    assert facts["won, then goes on"] == won


def test_in_trls_own_trainer_calls_after_the_end_change_and_pay_nothing(
    facts: dict[str, Any],
) -> None:
    beyond = facts["won, then goes on, in TRL's own trainer"]
    assert beyond["paid"] == 1.0
    assert beyond["errors"][-2:] == ["episode_over"] * 2
    assert beyond["turns"] == facts["won"]["turns"]
    assert facts["won and more in one message"]["errors"][-1] == "episode_over"


def test_calls_that_cannot_be_played_are_refused_and_counted_as_everywhere(
    facts: dict[str, Any],
) -> None:
    for name, error in {
        "unknown tool": "unknown_tool",
        "wrong argument": "invalid_arguments",
        "out of bounds": "invalid_arguments",
    }.items():
        assert facts[name]["errors"][0] == error, name
        assert facts[name]["turns"] == facts["won"]["turns"] + 1
    # What the rendered trainer is for: TRL's own answers itself, and no turn is taken.
    assert facts["unknown tool, in TRL's own trainer"]["turns"] == facts["won"]["turns"]


def test_a_world_that_breaks_is_left_out_and_never_paid_nothing(facts: dict[str, Any]) -> None:
    for name in ("breaks in a call", "breaks at the start"):
        assert facts[name]["paid"] is None
        assert "it broke" in facts[name]["failure"] or "no world" in facts[name]["failure"]
    assert facts["stopped"]["paid"] == 0.0
    assert facts["two turns"]["turns"] == 2


def test_a_model_is_shown_the_schemas_of_every_other_variant(facts: dict[str, Any]) -> None:
    assert facts["schemas"]
    assert facts["stock schemas"]["mark"] == ["code", "flag", "kind", "places", "share"]
    assert facts["tools"] == ["add", "get_reward", "look", "mark", "reset"]


def test_a_row_names_its_task_or_is_refused(facts: dict[str, Any]) -> None:
    assert "names no task" in facts["row without a task"]
    assert facts["row with a seed alone"], "which chooses the task, as everywhere"
    assert "there is no task 99" in facts["row of no task"]
    assert facts["columns of one's own"]
    assert facts["rows"][0]["prompt"][0] == {"role": "system", "content": "Count to the target."}
    assert "zebra" not in json.dumps(facts["rows"])
    assert facts["rows"] == facts["rows of skill-tools"]
