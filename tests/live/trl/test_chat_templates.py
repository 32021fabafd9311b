"""Exported conversations in the chat templates that ship with TRL."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

import skill_tools
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.frameworks.rules import load
from skill_tools.rollouts.rollout import variant_venv
from skill_tools.runtime.environment import child_environment
from tests.play.test_export import episode, step

pytestmark = pytest.mark.everything("trl")
TEXT_ONLY = {"deepseekv3.jinja"}
"""Templates that add the arguments to a text; TRL names it a bug of theirs (transformers#45419)."""


def test_every_chat_template_renders_the_call_that_was_played(tmp_path: Path, wordle: Path) -> None:
    arguments = {
        "thing": 'a "red" bolt',
        "count": 7,
        "exact": True,
        "labels": ["x", "y z"],
    }
    calls = [step(arguments, "Seven."), step({}, "None."), step({"count": -1}, "Done.", reward=1.0)]
    types = {"thing": "string", "count": "integer", "exact": "boolean", "labels": "array"}
    properties = {name: {"type": type_} for name, type_ in types.items()}
    tool = {"type": "object", "properties": properties}
    add = {"name": "add", "description": "Add.", "parameters": tool}
    file = tmp_path / "episodes.jsonl"
    file.write_text(json.dumps(episode(*calls, tools=[add])) + "\n")
    rows = [tmp_path / f"{form}.jsonl" for form in ("object", "text")]
    for row in rows:
        skill_tools.export("sft", [file], row, arguments=row.stem)  # type: ignore[arg-type]
    skill_tools.render(wordle, ["trl"])
    done = subprocess.run(
        [
            *(variant_venv(load(wordle), wordle, FRAMEWORKS["trl"]).python,),
            *(Path(__file__).with_name("chat_templates.py"), *rows),
        ],
        env=child_environment(FRAMEWORKS["trl"].environment),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    faults = {name: each for name, each in json.loads(done.stdout).items() if each != "dropped"}
    assert len(faults) > 40
    wrong = {name: fault for name, (fault, _) in faults.items() if fault}
    assert set(wrong) == TEXT_ONLY, wrong
    assert not [name for name in TEXT_ONLY if faults[name][1]]
    # The form that OpenAI's API has is encoded once more by many, or cannot be rendered.
    assert len([name for name, (_, fault) in faults.items() if fault]) > 30
