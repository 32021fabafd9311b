"""The public API: lazy, complete, typed, and enough to work with on its own."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import skill_tools
from tests.conftest import ROOT
from tests.pages.snippets import blocks

PAGE = ROOT / "docs" / "api.md"
FUNCTIONS = {
    "load",
    "new",
    "render",
    "check",
    "validate",
    "build",
    "judge",
    "rollout",
    "rollout_models",
    "replay",
    "try_calls",
    "bundle",
    "calibrate",
    "deploy",
    "audit",
    "export",
    "sample_model",
    "study",
    "summarize",
    "view",
}
TYPES = {"AuditOptions", "RolloutOptions", "SamplePlan", "EnvSpec", "Trajectory", "Evidence", "Finding", "Report", "Scale", "Study"}  # fmt: skip  # noqa: E501
ERRORS = {
    "SkillToolsError", "SpecError", "DomainError", "RenderError", "InterpreterError",
    "InstallError", "RolloutError", "Problem",
}  # fmt: skip


def run(folder: Path, script: str) -> str:
    """What a script prints that can import the installed package and nothing beside it."""
    file = folder / "script.py"
    file.write_text(script, "utf-8")
    done = subprocess.run(
        [sys.executable, str(file)],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def code(*, until: str | None = None) -> str:
    """The page's blocks as one script; those before a heading."""
    page = PAGE.read_text("utf-8")
    end = page.index(f"\n## {until}\n") if until else len(page)
    return "\n".join(text for kind, text in blocks(PAGE) if kind == "python" and text in page[:end])


def test_everything_promised_is_there_and_said_to_be() -> None:
    assert set(skill_tools.__all__) >= FUNCTIONS | TYPES | ERRORS | {"__version__"}
    assert dir(skill_tools) == sorted(skill_tools.__all__)
    for name in skill_tools.__all__:
        assert getattr(skill_tools, name) is getattr(skill_tools, name)
    for name in FUNCTIONS:
        function = getattr(skill_tools, name)
        assert function.__name__ == name
        assert function.__doc__
        # Every argument and the result have a type.
        arguments = function.__code__.co_varnames[: function.__code__.co_argcount]
        assert set(function.__annotations__) >= {*arguments, "return"}
    with pytest.raises(AttributeError, match="no attribute 'biuld'"):
        skill_tools.biuld  # noqa: B018 - asking is the test


@pytest.mark.everything("costly")
def test_the_import_costs_nothing(tmp_path: Path) -> None:
    ours = "sorted(name for name in sys.modules if name.startswith('skill_tools'))"
    heavy = "sorted({'pydantic', 'jinja2', 'rich', 'fastmcp', 'ruamel'} & set(sys.modules))"
    found = run(
        tmp_path,
        "import json, sys, skill_tools\n"
        f"before = {ours} + {heavy}\n"
        "skill_tools.SpecError\n"
        f"print(json.dumps([before, {heavy}, skill_tools.Report.__name__, {heavy}]))\n",
    )
    before, with_errors, name, after = json.loads(found)
    assert before == ["skill_tools"]
    assert (with_errors, name) == ([], "Report")
    assert "pydantic" in after


@pytest.mark.everything("frameworks")
@pytest.mark.parametrize(
    "first", ["skill_tools.render.plan", "skill_tools.pipeline", "skill_tools.render", "json"]
)
def test_render_is_the_function_whatever_was_imported_before(tmp_path: Path, first: str) -> None:
    # The package has a folder of that name, which an import puts in the function's place.
    script = f"""
import {first}
import skill_tools
assert callable(skill_tools.render), skill_tools.render
from skill_tools import render
from skill_tools.render import plan
from skill_tools.render.plan import plan as function
assert render is skill_tools.render
assert plan.plan is function
import skill_tools.render.writer
assert skill_tools.render is render
print(render.__module__)
"""
    assert run(tmp_path, script) == "skill_tools.pipeline.steps\n"


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse((ROOT / "skill_tools" / "__init__.py").read_text("utf-8"))
    (block,) = (
        node
        for node in tree.body
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
    )
    seen = {
        alias.name
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == set(skill_tools.__all__) - {"__version__"}


def test_the_page_names_all_of_it() -> None:
    page = PAGE.read_text("utf-8")
    missing = {name for name in skill_tools.__all__ if f"`{name}" not in page}
    assert missing == {"__version__"}
    imports = [line for line in code().splitlines() if "import" in line]
    assert imports == ["import skill_tools"]


@pytest.mark.everything("frameworks")
def test_the_pages_code_runs_as_far_as_no_framework_is_needed(tmp_path: Path) -> None:
    said = run(tmp_path, code(until="Play"))
    assert "treasure_hunt .gitignore env.yaml" in said
    assert "new gem/pyproject.toml" in said
    assert "there is no framework 'gymnasium'" in said
    assert (tmp_path / "treasure_hunt" / "gem" / "rollout.py").is_file()


@pytest.mark.live
@pytest.mark.everything("frameworks")
def test_the_pages_code_runs_to_its_end(tmp_path: Path) -> None:
    said = run(tmp_path, code())
    assert f"True {tmp_path}/treasure_hunt/runs/report.md" in said
    assert "gem oracle 1.0" in said
    assert "1.0 oracle: 2 episodes, mean return 1.000" in said
    assert "sft.jsonl 2 {" in said
    assert f"{tmp_path}/to_publish" in said
