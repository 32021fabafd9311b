"""The modules that rendering copies: real ones, the same bytes in every environment."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from skill_tools.frameworks import FRAMEWORKS
from skill_tools.frameworks.rules import load
from skill_tools.render.plan import SHARED_MODULES, TEMPLATES, VENDORED, plan
from skill_tools.spec.model import SHARED
from tests.conftest import ROOT, write_counter
from tools.__main__ import stand_in

STAND_INS = {"__init__.py", "stand_in.py", f"{SHARED}/env_spec.py"}
COPIED = sorted(
    path.relative_to(VENDORED).as_posix()
    for path in VENDORED.rglob("*.py")
    if path.relative_to(VENDORED).as_posix() not in STAND_INS
)


@pytest.mark.parametrize("path", COPIED)
def test_a_module_is_imported_here_as_it_is_in_an_environment(path: str) -> None:
    name = path.removesuffix(".py").replace("/", ".")
    importlib.import_module(f"skill_tools.render.vendored.{name}")


def test_every_module_is_copied_word_for_word_and_no_stand_in_is(tmp_path: Path) -> None:
    blocking = ("episode:", "backend: local\ndisplay: {}\npackages: [ipython]\nepisode:")
    spec = load(write_counter(tmp_path / "counter", env=blocking))
    planned = plan(spec, FRAMEWORKS)
    assert [path for path in planned if path in COPIED] == sorted(COPIED, key=list(planned).index)
    for path in COPIED:
        assert planned[path] == (VENDORED / path).read_text("utf-8")
    assert "stand_in" not in "".join(planned)
    assert planned[f"{SHARED}/env_spec.py"] != stand_in()


def test_modules_are_copied_for_who_imports_them(counter: Path) -> None:
    shared = {path for path in plan(load(counter), []) if path.startswith(f"{SHARED}/")}
    assert shared == {f"{SHARED}/{name}.py" for name in {"env_spec", *SHARED_MODULES}}
    assert f"{SHARED}/text_actions.py" not in plan(load(counter), ["openenv"])
    assert f"{SHARED}/text_actions.py" in plan(load(counter), ["gem"])


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


@pytest.mark.parametrize(
    "template",
    [*TEMPLATES.rglob("*.jinja"), *(ROOT / "skill_tools/frameworks").rglob("*.jinja")],
    ids=lambda path: str(path.relative_to(ROOT / "skill_tools")),
)
def test_python_without_a_tag_is_no_template(template: Path) -> None:
    if template.name.endswith(".py.jinja"):
        tags = re.findall(r"\{\{|\{%", template.read_text("utf-8"))
        assert tags, "make it a module below render/vendored, where it is linted and imported"


def test_a_copied_module_is_small() -> None:
    sizes = {path: len((VENDORED / path).read_text("utf-8").splitlines()) for path in COPIED}
    assert not {path: lines for path, lines in sizes.items() if lines > 300}
