"""What would be published: complete, and the core of it without what only `serve` needs."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path, PurePosixPath

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from uv import find_uv_bin

from skill_tools.mcp.start import DISTRIBUTION, EXTRA

from .conftest import ROOT, write_counter
from .test_architecture import MODULES, PACKAGE, room

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PLACES = {
    "skill_tools": "skill_tools",
    "reference_envs": "skill_tools/_exemplars/reference_envs",
    "evals/cases/connect_four/reference": "skill_tools/_exemplars/cases/connect_four/reference",
    "skills": "skill_tools/_skills",
    "packages/rl-env-sandbox/src": "skill_tools/_packages/rl-env-sandbox/src",
    "packages/rl-env-harness/src": "skill_tools/_packages/rl-env-harness/src",
    "packages/rl-env-harness/src/rl_env_harness": "rl_env_harness",
}
"""Folders of the repository, and where the wheel has each."""
AWAY = ("fastmcp", "mcp", "openai", "starlette", "uvicorn")
"""What `check`, `render` and `build` do without, by the names that are imported."""
COME_ALONG = {"anyio": "fastmcp", "fastmcp": "fastmcp", "mcp": "fastmcp", "markupsafe": "jinja2"}
"""What we import that another requirement of ours brings: its own types are those."""
THEIRS = {"pyarrow", "pytest", "ray"}
"""What is there if the user has it: rows in Parquet, pytest that loads our plugin, and a cluster."""
IN_OTHER_VENVS = {"worker", "drivers", "bundled"}
"""Folders of modules that run beside the author's, or in a framework's venv."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and with the wheel that is built of it, as the index would get them."""
    out = tmp_path_factory.mktemp("dist")
    build = [find_uv_bin(), "build", "--quiet", "--out-dir", str(out), str(ROOT)]
    subprocess.run(build, check=True, timeout=300)
    return out


def tracked(folder: str = ".") -> dict[str, Path]:
    """The files that git has below a folder, and their paths."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", folder], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    return {name: ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()}


@pytest.mark.everything("costly")
@pytest.mark.xdist_group("distributions")
def test_the_wheel_has_every_file_that_is_used_and_nothing_else(built: Path) -> None:
    (path,) = built.glob("*.whl")
    wanted = {
        str(PurePosixPath(place, PurePosixPath(name).relative_to(folder))): file
        for folder, place in PLACES.items()
        for name, file in tracked(folder).items()
    }
    with zipfile.ZipFile(path) as wheel:
        packed = {name for name in wheel.namelist() if ".dist-info/" not in name}
        assert not sorted(wanted.keys() - packed)
        assert not [name for name in wanted if wheel.read(name) != wanted[name].read_bytes()]
    assert not [name for name in packed if not name.startswith(("skill_tools/", "rl_env_harness/"))]
    assert not [name for name in packed if {"runs", "__pycache__"} & set(name.split("/"))]


@pytest.mark.everything("costly")
@pytest.mark.xdist_group("distributions")
def test_the_sdist_has_every_file_that_git_has(built: Path) -> None:
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as sdist:
        packed = {name.partition("/")[2] for name in sdist.getnames()}
    wanted = {name for name, file in tracked().items() if not file.is_symlink()}
    assert not sorted(wanted - packed)
    assert not [name for name in packed if {"runs", ".venv", ".git"} & set(name.split("/"))]


def requirements(extra: str | None = None) -> set[str]:
    """The distributions that we declare, by their normal names."""
    declared = PROJECT["optional-dependencies"][extra] if extra else PROJECT["dependencies"]
    return {canonicalize_name(Requirement(text).name) for text in declared}


def imported(path: Path) -> Iterator[str]:
    """The top-level packages that a module imports anywhere, without ours and Python's."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        for name in names:
            top = name.partition(".")[0]
            if top not in sys.stdlib_module_names and top not in ("skill_tools", "rl_env_harness"):
                yield top


@pytest.mark.everything("costly")
def test_every_room_imports_what_is_declared_and_only_the_server_what_its_extra_brings() -> None:
    known = packages_distributions()
    there = {False: requirements(), True: requirements() | requirements(EXTRA)}
    wrong = []
    for path in MODULES:
        if IN_OTHER_VENVS & set(path.parts) or path.name in (
            "driver.py",
            "package_checks.py",
            "tool_loop.py",
        ):
            continue
        for name in set(imported(path)) - THEIRS:
            owners = {COME_ALONG.get(name) or canonicalize_name(each) for each in known[name]}
            if not owners & there[room(path) == "mcp"]:
                wrong.append(f"{path.relative_to(PACKAGE)} imports {name}")
    assert not wrong, "declare it in pyproject.toml, or import it in skill_tools/mcp alone"


WITHOUT = f"""
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {AWAY!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Absent())
"""
"""Makes a Python look as if the extra had not been installed."""
EVERY = """
import importlib, json
for name in json.loads(sys.argv[1]):
    importlib.import_module(name)
"""
COMMAND = "from skill_tools.cli import main; main()"


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-c", WITHOUT + code, *arguments],
        capture_output=True, text=True, check=False, timeout=120,
        env={**os.environ, "NO_COLOR": "1"},
    )  # fmt: skip


@pytest.mark.everything("costly")
def test_every_module_outside_the_server_is_imported_without_the_extra() -> None:
    names = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in MODULES
        if room(path) != "mcp"
        and not IN_OTHER_VENVS & set(path.parts)
        and path.name not in ("driver.py", "package_checks.py", "tool_loop.py", "__main__.py")
    ]
    assert "skill_tools.policies.server" in names
    found = run(EVERY, json.dumps(names))
    assert not found.returncode, found.stderr


@pytest.mark.everything("installers")
def test_check_and_render_run_without_the_extra(tmp_path: Path) -> None:
    folder = str(write_counter(tmp_path / "counter"))
    for words in (["check", "--play", folder], ["render", "-f", "all", folder], ["--help"]):
        found = run(COMMAND, *words)
        assert not found.returncode, f"{words}\n{found.stdout}{found.stderr}"


def test_serve_without_the_extra_says_in_a_line_what_to_run() -> None:
    found = run(COMMAND, "mcp")
    assert found.returncode == 2
    assert not found.stdout
    said, fix = found.stderr.splitlines()
    assert (
        said
        == f"error: the MCP server needs {DISTRIBUTION}[{EXTRA}], but {DISTRIBUTION} is installed without that extra"
    )
    assert fix.startswith(f"    fix: {find_uv_bin()} pip install --python {sys.executable} ")
    assert re.search(r" '?fastmcp[<>=.,0-9]*'?$", fix)
    assert PROJECT["name"] == DISTRIBUTION
