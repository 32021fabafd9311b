"""Rendering: the same bytes every time, whatever the author wrote, and nothing outside."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet
from ruamel.yaml import YAML
from ruff.__main__ import find_ruff_bin

from skill_tools.errors import RenderError
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.frameworks.rules import load
from skill_tools.render import plan as render
from skill_tools.render.plan import inside, plan, texts
from skill_tools.spec.model import EnvSpec
from tests.conftest import CONNECT_FOUR, ROOT, WORDLE, write_counter

HOSTILE = (
    'quote " and \' and \\ and """ and {% raw %} {{ spec }} ${x} `ls` $(ls) \n'
    "# not a comment\n'''\n|table| <!-- --> ]]> \u2028 é 漢 🎲 \x7f"
)


def hostile(spec: EnvSpec) -> EnvSpec:
    """The spec with every author's text replaced by text that breaks careless quoting."""
    data = spec.model_dump()
    data["title"] = data["description"] = HOSTILE
    data["seed"] = {"used": False, "reason": HOSTILE}
    data["prompt"] = {"system": HOSTILE, "user": HOSTILE + "{observation}"}
    for tool in data["tools"].values():
        tool["description"] = HOSTILE
        for parameter in tool["parameters"].values():
            parameter["description"] = HOSTILE
    return EnvSpec.model_validate(data)


def write_all(files: dict[str, str], folder: Path) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")


@pytest.mark.everything("frameworks")
@pytest.mark.parametrize("folder", [WORDLE, CONNECT_FOUR])
def test_every_framework_renders_what_ruff_accepts(folder: Path, tmp_path: Path) -> None:
    spec = load(folder)
    for case, variant in (("plain", spec), ("hostile", hostile(spec))):
        write_all(texts(plan(variant, FRAMEWORKS)), tmp_path / case)
    options = ["--isolated", "--line-length", "100", "--no-cache", str(tmp_path)]
    for command in (["check"], ["format", "--check"]):
        run = subprocess.run(
            [find_ruff_bin(), *command, *options], capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stdout + run.stderr


def test_ruff_accepts_a_rendered_environment_from_inside_it(tmp_path: Path) -> None:
    # There, a folder is called like the package that a variant imports.
    write_all(texts(plan(load(WORDLE), FRAMEWORKS)), tmp_path)
    for command in (["check"], ["format", "--check"]):
        run = subprocess.run(
            [find_ruff_bin(), *command, "--no-cache", "."],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.everything("costly")
def test_the_folder_where_the_command_runs_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = plan(load(WORDLE), FRAMEWORKS)
    for name in (*FRAMEWORKS, "wordle_domain"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
    monkeypatch.chdir(tmp_path)
    render._planned.cache_clear()
    assert plan(load(WORDLE), FRAMEWORKS) == expected


def test_authors_text_reaches_files_as_data(counter: Path) -> None:
    files = texts(plan(hostile(load(counter)), FRAMEWORKS))
    for path, text in files.items():
        if path.endswith(".py"):
            compile(text, path, "exec")
        elif path.endswith(".toml"):
            assert "evil" not in tomllib.loads(text).get("tool", {})
        elif path.endswith((".yaml", ".yml")):
            YAML(typ="safe", pure=True).load(text)
        elif path.endswith(".jsonl"):
            assert all(json.loads(line) for line in text.splitlines())
    constants = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in ast.parse(files["_shared/env_spec.py"]).body
        if isinstance(node, ast.Assign) and node.targets[0].id == "SYSTEM_PROMPT"
    }
    assert constants == {"SYSTEM_PROMPT": HOSTILE}


def test_a_readme_keeps_the_authors_quotes(tmp_path: Path) -> None:
    quoted = ("description: Look at the counter.", "description: 'Look at \"ROWS:\" of it.'")
    files = texts(plan(load(write_counter(tmp_path / "counter", env=quoted))))
    assert 'Look at "ROWS:" of it.' in files["README.md"]
    assert 'Look at "ROWS:" of it.' in files["_shared/env_spec.py"]


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_no_variant_takes_a_python_that_nothing_was_tested_on(name: str, counter: Path) -> None:
    files = texts(plan(load(counter).with_frameworks(FRAMEWORKS)))
    for path in ("pyproject.toml", f"{name}/pyproject.toml"):
        wanted = SpecifierSet(tomllib.loads(files[path])["project"]["requires-python"])
        assert "3.12.9" in wanted
        assert "3.14.0" not in wanted
        assert "3.15.0" not in wanted


@pytest.mark.everything("frameworks")
def test_the_same_spec_gives_the_same_bytes_in_another_process() -> None:
    program = (
        "import hashlib, sys; from pathlib import Path\n"
        "from skill_tools.frameworks.rules import load; from skill_tools.render.plan import plan\n"
        "files = plan(load(Path(sys.argv[1])))\n"
        "print(hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program, str(WORDLE)],
            env={"PYTHONHASHSEED": seed, "PATH": "", "LC_ALL": "C"},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


@pytest.mark.everything("costly")
def test_frameworks_render_the_same_alone_and_together_in_any_order(counter: Path) -> None:
    spec = load(counter)
    together = plan(spec, FRAMEWORKS)
    assert plan(spec, reversed(list(FRAMEWORKS))) == together
    for name in FRAMEWORKS:
        alone = plan(spec, [name])
        for path, text in alone.items():
            if path.startswith(f"{name}/"):
                assert together[path] == text


@pytest.mark.everything("costly")
@pytest.mark.parametrize("name", FRAMEWORKS)
def test_a_variant_never_shadows_the_package_it_imports(name: str, counter: Path) -> None:
    assert f"{name}/__init__.py" not in plan(load(counter), [name])


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_rendered_code_imports_nothing_of_ours(name: str, counter: Path) -> None:
    for path, text in texts(plan(load(counter), [name])).items():
        if path.endswith(".py"):
            assert "import skill_tools" not in text, path
            assert "from skill_tools" not in text, path


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_a_variant_pins_its_framework_and_depends_on_the_domain(name: str, counter: Path) -> None:
    project = tomllib.loads(plan(load(counter), [name])[f"{name}/pyproject.toml"])
    dependencies = project["project"]["dependencies"]
    for requirement in FRAMEWORKS[name].requirements:
        assert requirement in dependencies
    assert any(dependency.startswith("counter-domain") for dependency in dependencies)
    assert project["tool"]["uv"]["sources"]["counter-domain"]["path"] == ".."


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", "a/../../x", "openenv/../../x"])
def test_no_planned_path_leaves_the_folder(path: str, tmp_path: Path) -> None:
    with pytest.raises(RenderError, match="is outside"):
        inside(tmp_path, path)


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "env")
    (tmp_path / "outside").mkdir()
    (folder / "openenv").symlink_to(tmp_path / "outside")
    with pytest.raises(RenderError, match="is outside"):
        inside(folder, "openenv/rollout.py")
