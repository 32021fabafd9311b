"""The modules that rendering copies: real ones, the same bytes in every environment."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from skill_tools.files import harness_project
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.frameworks.rules import load
from skill_tools.pipeline import render
from skill_tools.render.plan import TEMPLATES, plan
from skill_tools.render.wheel import EPISODE_MODULES, HARNESS, ROLE_MODULES
from skill_tools.spec.model import SHARED
from tests.checks.roles import DESK
from tests.conftest import ROOT
from tests.over import over
from tools.__main__ import stand_in

SOURCE = harness_project() / "src" / "rl_env_harness"
MODULES = sorted(path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.py"))
COPIED = {f"{name}.py" for name in EPISODE_MODULES - {"env_spec"}}
WITH_MODELS = {f"{name}.py" for name in ROLE_MODULES}


def test_every_module_is_imported_as_it_is_in_an_environment() -> None:
    for path in MODULES:
        name = path.removesuffix(".py").replace("/", ".").removesuffix("__init__").strip(".")
        importlib.import_module(f"stand_in._shared.{name}".strip("."))


@pytest.mark.everything("costly")
def test_every_module_is_copied_word_for_word_or_is_in_the_wheel_and_the_stand_in_is_neither(
    counter: Path,
) -> None:
    planned, packed = plan(load(counter), FRAMEWORKS), HARNESS.sources()
    for path in MODULES:
        text = (SOURCE / path).read_text("utf-8")
        if path in COPIED | WITH_MODELS:
            there = planned if path in COPIED else plan(load(DESK), [])
            assert there[f"{SHARED}/{path}"] == text
        elif path != "env_spec.py":
            assert packed[f"rl_env_harness/{path}"] == text
    assert planned[HARNESS.path] == HARNESS.content()
    assert planned[f"{SHARED}/env_spec.py"] != stand_in()
    rooms = {path for path in packed if path.count("/") > 1}
    assert {*packed} - rooms == {"rl_env_harness/__init__.py"}, "the wheel has the rooms alone"


def test_an_environment_has_the_same_modules_whatever_it_is_rendered_for(counter: Path) -> None:
    for names in ([], ["openenv"], FRAMEWORKS):
        shared = {path for path in plan(load(counter), names) if path.startswith(f"{SHARED}/")}
        assert shared == {f"{SHARED}/{name}" for name in (*COPIED, "env_spec.py")}


def test_an_episode_is_imported_without_the_harness(counter: Path) -> None:
    render(counter)
    program = """
import sys
sys.path[:] = [sys.argv[1], *(each for each in sys.path if "rl-env-harness" not in each)]
from counter_domain._shared import episode, task_table
try:
    from counter_domain._shared.rollouts import chat
except ImportError as error:
    print(error)
"""
    place = counter.parent / "place"
    place.mkdir()
    (place / "counter_domain").symlink_to(counter)
    run = subprocess.run(
        [sys.executable, "-P", "-c", program, str(place)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "No module named 'counter_domain._shared.rollouts'" in run.stdout


def test_what_stands_in_for_a_rendered_module_is_rendered() -> None:
    committed = (SOURCE / "env_spec.py").read_text("utf-8")
    assert committed == stand_in(), "run: python -m tools"


def test_the_stand_in_is_an_environment_that_plays() -> None:
    episode = importlib.import_module("stand_in._shared.episode")
    text = importlib.import_module("stand_in._shared.rollouts.text_actions")
    table = importlib.import_module("stand_in._shared.task_table")
    opened = episode.Episode(table.task_at("train", 0))
    answer = text.play(opened, '<add amount="9"/><add amount="3"/>')
    assert [step["error"] for step in answer.steps] == ["invalid_action", None]
    assert (answer.reward, opened.over) == (1.0, True)


@over(
    "template",
    [*TEMPLATES.rglob("*.jinja"), *(ROOT / "skill_tools/frameworks").rglob("*.jinja")],
    ids=lambda path: str(path.relative_to(ROOT / "skill_tools")),
)
def test_python_without_a_tag_is_no_template(template: Path) -> None:
    if template.name.endswith(".py.jinja"):
        tags = re.findall(r"\{\{|\{%", template.read_text("utf-8"))
        assert tags, "make it a module of rl-env-harness, where it is linted and imported"
