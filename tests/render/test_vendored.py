"""The modules that rendering copies: real ones, the same bytes in every environment."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path

from skill_tools.frameworks import FRAMEWORKS
from skill_tools.frameworks.rules import load
from skill_tools.pipeline import render
from skill_tools.render.plan import TEMPLATES, plan
from skill_tools.render.wheel import EPISODE_MODULES, HARNESS, VENDORED
from skill_tools.spec.model import SHARED
from tests.conftest import ROOT
from tests.over import over
from tools.__main__ import stand_in

STAND_INS = {"__init__.py", "stand_in.py", f"{SHARED}/env_spec.py"}
VENDORED_MODULES = sorted(
    path.relative_to(VENDORED).as_posix()
    for path in VENDORED.rglob("*.py")
    if path.relative_to(VENDORED).as_posix() not in STAND_INS
)
COPIED = {f"{SHARED}/{name}.py" for name in EPISODE_MODULES - {"env_spec"}}


@over("path", VENDORED_MODULES)
def test_a_module_is_imported_here_as_it_is_in_an_environment(path: str) -> None:
    name = path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    importlib.import_module(f"skill_tools.render.vendored.{name}")


def test_every_module_is_copied_word_for_word_or_is_in_the_wheel_and_no_stand_in_is(
    counter: Path,
) -> None:
    planned, packed = plan(load(counter), FRAMEWORKS), HARNESS.sources()
    for path in VENDORED_MODULES:
        text = (VENDORED / path).read_text("utf-8")
        name = path.replace(f"{SHARED}/", "rl_env_harness/")
        assert (planned.get(path) == text) == (path in COPIED)
        assert path in COPIED or packed[name] == text
    assert planned[HARNESS.path] == HARNESS.content()
    assert "stand_in" not in "".join([*planned, *packed])
    assert planned[f"{SHARED}/env_spec.py"] != stand_in()


def test_an_environment_has_the_same_modules_whatever_it_is_rendered_for(counter: Path) -> None:
    for names in ([], ["openenv"], FRAMEWORKS):
        shared = {path for path in plan(load(counter), names) if path.startswith(f"{SHARED}/")}
        assert shared == {*COPIED, f"{SHARED}/env_spec.py"}


def test_an_episode_is_imported_without_the_harness(counter: Path) -> None:
    render(counter)
    program = """
import sys
sys.path.insert(0, sys.argv[1])
from counter_domain._shared import episode, task_table
try:
    from counter_domain._shared import chat
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
    assert "cannot import name 'chat' from 'counter_domain._shared'" in run.stdout


def test_what_stands_in_for_a_rendered_module_is_rendered() -> None:
    committed = (VENDORED / SHARED / "env_spec.py").read_text("utf-8")
    assert committed == stand_in(), "run: python -m tools"


def test_the_stand_in_is_an_environment_that_plays() -> None:
    episode = importlib.import_module("skill_tools.render.vendored._shared.episode")
    text = importlib.import_module("skill_tools.render.vendored._shared.text_actions")
    table = importlib.import_module("skill_tools.render.vendored._shared.task_table")
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
        assert tags, "make it a module below render/vendored, where it is linted and imported"


def test_a_module_is_small() -> None:
    sizes = {
        path: len((VENDORED / path).read_text("utf-8").splitlines()) for path in VENDORED_MODULES
    }
    assert not {path: lines for path, lines in sizes.items() if lines > 300}
