"""What would be published, in a venv of its own without the clone: every command, and the server."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import shutil
import subprocess
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from uv import find_uv_bin

from skill_tools.archetypes import STARTERS
from skill_tools.render import wheel
from tests.conftest import ROOT, WORDLE

pytestmark = pytest.mark.everything("installers")
DISTRIBUTIONS = (".", "packages/rl-env-sandbox")
"""Folders of the projects that this repository publishes, each with a pyproject.toml."""
SECONDS = 600
"""For one command; the first build also installs the frameworks."""
SIX = {"openenv", "ors", "verifiers", "nemo_gym", "skyrl_gym", "gem"}
AWAY = {"fastmcp", "mcp", "openai", "starlette", "uvicorn"}
"""Packages that only the extra `serve` brings, or nothing."""
GRADER = """\
def reward(completions, answer, **kwargs):
    return [float(said.strip() == right) for said, right in zip(completions, answer)]
"""
AUTHORS = """
import sys
from pathlib import Path
from skill_tools.report import exemplars
found = exemplars.find(sys.argv[1])
for name in set(found.files) - set(found.rendered):
    path = Path(found.name, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(found.files[name], "utf-8")
"""
"""Writes what the author of an exemplar wrote into a folder of its name."""
ROWS = "".join(
    json.dumps({"prompt": f"{a} + {a + 1}?", "answer": str(2 * a + 1)}) + "\n" for a in range(8)
)


@dataclass(frozen=True)
class Installed:
    """A venv with nothing but us in it, and a folder to work in; ``kind`` is wheel or sdist."""

    kind: str
    venv: Path
    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        """Nothing of the clone's: neither on the PATH, nor what Python reads."""
        others = [
            part
            for part in os.environ["PATH"].split(os.pathsep)
            if not Path(part).is_relative_to(ROOT)
        ]
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PYTHON", "PYTEST", "VIRTUAL_ENV", "COV"))
        }
        path = os.pathsep.join([str(self.venv / "bin"), *others])
        return {**kept, "PATH": path, "NO_COLOR": "1", "COLUMNS": "200"}

    def run(self, *words: str | Path, code: int = 0) -> str:
        """Run a program of the venv's; what it printed."""
        program = self.venv / "bin" / words[0]
        found = subprocess.run(
            [program, *words[1:]], cwd=self.folder, env=self.environment, timeout=SECONDS,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert found.returncode == code, f"{words}\n{found.stdout}\n{found.stderr}"
        return found.stdout or found.stderr

    def data(self, *words: str | Path, code: int = 0) -> Any:
        """What `skill-tools … --json` printed."""
        return json.loads(self.run("skill-tools", *words, "--json", code=code))

    def install(self, *what: str | Path) -> None:
        """Install more into the venv."""
        uv(self.folder, "pip", "install", "--python", self.venv / "bin" / "python", *what)


def uv(folder: Path, *words: str | Path) -> str:
    """Run uv; what it printed."""
    return subprocess.run(
        [find_uv_bin(), "--quiet", *words], cwd=folder, check=True, timeout=SECONDS,
        capture_output=True, text=True,
    ).stdout  # fmt: skip


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Wheel and sdist of each distribution."""
    out = tmp_path_factory.mktemp("dist")
    for project in DISTRIBUTIONS:
        uv(out, "build", "--out-dir", out, ROOT / project)
    return out


@pytest.fixture(scope="module", params=["wheel", "sdist"])
def place(
    request: pytest.FixtureRequest, dist: Path, tmp_path_factory: pytest.TempPathFactory
) -> Installed:
    """Everything that is published, installed from wheels or from sdists."""
    home = tmp_path_factory.mktemp(request.param)
    made = Installed(request.param, home / "venv", home / "work")
    made.folder.mkdir()
    uv(home, "venv", made.venv)
    ending = {"wheel": "*.whl", "sdist": "*.tar.gz"}[made.kind]
    made.install(*dist.glob(ending))
    return made


def test_the_index_would_take_them(dist: Path, tmp_path: Path) -> None:
    files = [path for path in dist.iterdir() if path.name != ".gitignore"]
    assert len(files) == 2 * len(DISTRIBUTIONS)
    for packed in (wheel.HARNESS, wheel.SANDBOX):  # as an environment has them
        files.append(tmp_path / Path(packed.path).name)
        files[-1].write_bytes(packed.content())
    uv(tmp_path, "tool", "run", "--from", "twine>=6,<8", "twine", "check", "--strict", *files)


def test_a_wheel_made_of_the_clone_is_the_one_made_of_the_sdist(dist: Path, tmp_path: Path) -> None:
    for project in DISTRIBUTIONS:
        uv(tmp_path, "build", "--wheel", "--out-dir", tmp_path, ROOT / project)
    for path in tmp_path.glob("*.whl"):
        with zipfile.ZipFile(path) as here, zipfile.ZipFile(dist / path.name) as there:
            assert {each.filename: each.CRC for each in here.infolist()} == {
                each.filename: each.CRC for each in there.infolist()
            }


def test_the_core_comes_without_what_only_the_server_needs(place: Installed) -> None:
    listed = json.loads(
        uv(place.folder, "pip", "list", "--format", "json", "--python", place.venv / "bin/python")
    )
    names = {each["name"] for each in listed}
    assert "rl-env-skills" in names
    assert not names & AWAY
    where = place.run("python", "-c", "import skill_tools; print(skill_tools.__file__)")
    assert Path(where.strip()).is_relative_to(place.venv)


def test_the_exemplars_are_those_of_the_clone(place: Installed) -> None:
    names = {each["name"] for each in place.data("exemplars")}
    assert names >= {"wordle", "connect_four", *(f"starter/{name}" for name in STARTERS)}
    for file in ("env.yaml", "game.py", "openenv/server/app.py"):
        assert place.data("exemplars", "wordle", file)["text"] == (WORDLE / file).read_text("utf-8")


def test_wordle_is_built_green_for_six_frameworks(place: Installed) -> None:
    place.run("python", "-c", AUTHORS, "wordle")
    folder = place.folder / "wordle"
    assert not (folder / "gem").exists()
    # The sdist has the same wheel in it; there one framework shows that it can play at all.
    only = SIX if place.kind == "wheel" else {"gem"}
    report = place.data("build", *(f"-f{name}" for name in sorted(only)), folder)
    assert report["verdict"] == "sound"
    assert {path.name for path in folder.iterdir()} >= only | {"_shared", "runs"}


def test_an_own_environment_is_begun_checked_rendered_and_studied(place: Installed) -> None:
    place.run("skill-tools", "new", "hunt", "--archetype", "pure-python-game")
    place.run("skill-tools", "check", "--play", "hunt")
    place.run("skill-tools", "render", "-f", "all", "hunt")
    place.run("skill-tools", "render", "--check", "-f", "all", "hunt")
    place.run("skill-tools", "learnability", "--num-tasks", "6", "--samples", "4", "hunt")
    made = place.data("bundle", "hunt", "openenv", "--output", "bundled")
    assert Path(made["folder"]).is_dir()
    # What pytest finds is in the environment; it is installed beside us as a user does.
    place.install("pytest")
    said = place.run("python", "-m", "pytest", "-q", "--rl-env", "hunt")
    assert " passed" in said


def test_what_others_made_is_audited(place: Installed) -> None:
    (place.folder / "grade.py").write_text(GRADER)
    (place.folder / "train.jsonl").write_text(ROWS)
    assert place.data("data", "train.jsonl")["verdict"] == "sound"
    assert place.data("audit", "grade.py:reward", "--dataset", "train.jsonl")["verdict"] == "sound"


def test_checks_of_ones_own_are_found(place: Installed) -> None:
    own = Path(shutil.copytree(ROOT / "docs" / "own_checks", place.folder / "own_checks"))
    place.install(own)
    listed = place.data("checks")
    assert [each for each in listed if each["id"].startswith("HOU")], listed[-1]


def test_the_server_says_what_it_needs_and_runs_with_it(place: Installed) -> None:
    said = place.run("skill-tools", "mcp", code=2).splitlines()
    command = shlex.split(said[-1].partition("fix:")[2])
    assert command[:3] == [str(place.venv / "bin" / "uv"), "pip", "install"]
    subprocess.run(command, cwd=place.folder, env=place.environment, check=True, timeout=SECONDS)
    program = str(place.venv / "bin" / "skill-tools")
    transport = StdioTransport(
        program, ["mcp"], env=place.environment, cwd=str(place.folder), keep_alive=False
    )

    async def use() -> None:
        async with Client(transport, init_timeout=60) as client:
            listed = (await client.call_tool("list_exemplars", {})).structured_content
            assert "wordle" in {each["name"] for each in listed["exemplars"]}
            asked = {"exemplar": "wordle", "file": "game.py"}
            read = (await client.call_tool("read_exemplar", asked)).structured_content
            assert (WORDLE / "game.py").read_text("utf-8").startswith(read["text"])
            skill = "skill://rl-env-from-description/SKILL.md"
            (page,) = await client.read_resource(skill)
            wanted = ROOT / "skills" / "rl-env-from-description" / "SKILL.md"
            assert page.text == wanted.read_text("utf-8")

    asyncio.run(use())


def test_an_sdist_is_built_again_from_what_it_holds(dist: Path, tmp_path: Path) -> None:
    """As who packages it for a distribution does: unpacked, without git."""
    for path in dist.glob("*.tar.gz"):
        with tarfile.open(path) as sdist:
            sdist.extractall(tmp_path, filter="data")
        uv(
            tmp_path,
            "build",
            "--wheel",
            "--out-dir",
            tmp_path,
            tmp_path / path.name.removesuffix(".tar.gz"),
        )
    assert {path.name for path in tmp_path.glob("*.whl")} == {
        path.name for path in dist.glob("*.whl")
    }
