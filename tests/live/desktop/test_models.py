"""Computer-use models: each API plays the same tasks, over the framework's own client and server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from skill_tools.evidence.trajectory import Trajectory
from skill_tools.frameworks.rules import load
from skill_tools.policies.server import PolicyEndpoint
from skill_tools.reference.playbook import write_scripts
from skill_tools.rollouts.options import RolloutOptions
from skill_tools.rollouts.rollout import RolloutProcess, roll_out, variant_venv
from skill_tools.runtime import supervise
from skill_tools.runtime.environment import child_environment
from tests.live.frameworks import FRAMEWORKS

from .place import DESKTOP, here

pytestmark = [here, pytest.mark.everything("desktops")]

TASKS = 7
"""The first tasks of train: typing, chords, dragging with one call and with many, a slider."""
WAYS = {
    "tools": {},
    "openai": {"action_api": "openai"},
    "anthropic": {"action_api": "anthropic"},
    "qwen": {"action_api": "qwen"},
    "anthropic-small": {"action_api": "anthropic", "coordinates": "1024x768"},
}


@pytest.fixture(scope="module")
def scripts() -> dict[str, Any]:
    _, found = write_scripts(load(DESKTOP), DESKTOP, "train", TASKS)
    return {"oracle": found["oracle"]}


def played(
    scripts: dict[str, Any], framework: str, options: dict[str, str], output: Path
) -> list[Trajectory]:
    spec = load(DESKTOP)
    venv = variant_venv(spec, DESKTOP, FRAMEWORKS[framework])
    with PolicyEndpoint(scripts) as endpoint:
        return roll_out(
            RolloutProcess(DESKTOP, framework, venv), ["oracle"],
            RolloutOptions(
                base_url=endpoint.base_url, split="train", indices=(0, TASKS - 1), concurrency=3, **options
            ),
            output=output,
        )  # fmt: skip


@pytest.mark.parametrize("framework", ["ors", "openenv"])
@pytest.mark.parametrize("way", WAYS)
def test_an_api_solves_what_the_tools_solve(
    scripts: dict[str, Any], framework: str, way: str, tmp_path: Path
) -> None:
    for each in played(scripts, framework, WAYS[way], tmp_path / "out.jsonl"):
        assert each.failure is None, each.failure
        assert (each.end, each.total) == ("terminated", 1.0), each.label
        pictures = [b for step in each.steps for b in step.observation if b["type"] == "image"]
        assert pictures
    lines = (tmp_path / "out.jsonl").read_text("utf-8").splitlines()
    assert len([json.loads(line) for line in lines]) == TASKS


LOOK = """
import json
import desktop_skyrl as variant
env = variant.DesktopEnv(extras={"extra_info": {"split": "train", "index": 0}})
env.init([])
both = env.step("<screenshot/><cursor_position/>")["observations"]
text = env.step("<cursor_position/>")["observations"]
env.close()
print(json.dumps([both, text]))
"""


def test_skyrl_gyms_messages_have_pictures_as_its_generator_for_vision_models_takes_them(
    tmp_path: Path,
) -> None:
    facts = FRAMEWORKS["skyrl_gym"]
    venv = variant_venv(load(DESKTOP), DESKTOP, facts)
    log = tmp_path / "log"
    done = supervise.run(
        [str(venv.python), "-c", LOOK], cwd=DESKTOP / "skyrl_gym", timeout=120, log=log,
        env=child_environment({**facts.environment, "PYTHONPATH": "."}),
    )  # fmt: skip
    assert done.returncode == 0, done.log_tail
    [both], [text] = json.loads(log.read_text("utf-8").splitlines()[-1])
    assert both["role"] == "user"
    kinds = [part["type"] for part in both["content"]]
    assert kinds == ["text", "image_url"]
    said = "[1] (an image follows)\n\n[2] The pointer is at (512, 384)."
    assert both["content"][0]["text"] == said
    assert both["content"][1]["image_url"]["url"].startswith("data:image/png;base64,iVBOR")
    assert text["content"] == "The pointer is at (512, 384)."
