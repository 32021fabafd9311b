"""What can be read: the same in a clone and in an installed wheel, and nothing outside it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from uv import find_uv_bin

from skill_tools import archetypes
from skill_tools.errors import SkillToolsError
from skill_tools.report import exemplars
from tests.conftest import CONNECT_FOUR, ROOT, WORDLE
from tests.over import over

LIST = """
import json
from skill_tools.report import exemplars
found = {each.name: {path: hash_of(text) for path, text in each.files.items()}
         for each in exemplars.every()}
folder = exemplars.skills_folder()
skills = sorted(str(path.relative_to(folder)) for path in folder.rglob("SKILL.md"))
print(json.dumps([exemplars.__file__, found, skills]))
"""
LIST = f"import zlib\nhash_of = lambda text: zlib.crc32(text.encode())\n{LIST}"


def listed(folder: Path, **environment: str) -> list[object]:
    run = subprocess.run(
        [sys.executable, "-P", "-c", LIST],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=True,
    )
    return json.loads(run.stdout)


def test_starters_environments_and_cases_are_there() -> None:
    names = [each.name for each in exemplars.every()]
    assert {f"starter/{name}" for name in archetypes.STARTERS} <= set(names)
    assert {"wordle", "connect_four"} <= set(names)
    assert len(set(names)) == len(names)


def test_the_files_are_those_in_the_repository_with_the_authors_first() -> None:
    wordle = exemplars.find("wordle")
    assert next(iter(wordle.files)) == "env.yaml"
    assert wordle.text("game.py") == (WORDLE / "game.py").read_text("utf-8")
    assert exemplars.find("connect_four").text("game.py") == (CONNECT_FOUR / "game.py").read_text()
    authors = list(wordle.files)[: len(wordle.files) - len(wordle.rendered)]
    assert "game.py" in authors
    assert not [path for path in authors if path.startswith("openenv/")]
    assert "openenv/server/app.py" in wordle.rendered


def test_nothing_hidden_or_left_by_a_run_is_shown() -> None:
    for each in exemplars.every():
        parts = {part for path in each.files for part in path.split("/")}
        assert not parts & {"runs", "__pycache__", "env.lock.json"}
        assert not [part for part in parts if part.startswith(".")]


@over(
    "file", ["../../../pyproject.toml", "/etc/passwd", "game.py/../env.yaml", "", "runs/report.md"]
)
def test_no_path_leaves_the_set_of_files(file: str) -> None:
    with pytest.raises(SkillToolsError, match=r"has no file .* there are: env\.yaml"):
        exemplars.find("wordle").text(file)


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(SkillToolsError, match="did you mean 'wordle'"):
        exemplars.find("wordel")
    with pytest.raises(SkillToolsError, match=r"did you mean 'game\.py'"):
        exemplars.find("wordle").text("gmae.py")


@pytest.mark.live
def test_an_installed_wheel_has_the_same_files_as_a_clone(tmp_path: Path) -> None:
    build = [find_uv_bin(), "build", "--wheel", "--quiet", "--out-dir", str(tmp_path), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    where, found, skills = listed(tmp_path, PYTHONPATH=str(tmp_path / "site"))
    assert Path(str(where)).is_relative_to(tmp_path)
    there, wanted, theirs = listed(tmp_path)
    assert Path(str(there)).is_relative_to(ROOT)
    assert found == wanted
    assert skills == theirs
    assert skills
    packed = {
        path.relative_to(tmp_path / "site").parts[0] for path in (tmp_path / "site").rglob("*")
    }
    # A wheel that also installs `evals` or `skills` would clash with everybody's.
    assert {name for name in packed if not name.endswith(".dist-info")} == {
        "rl_env_harness",
        "skill_tools",
    }


def test_the_desktops_script_writes_the_tasks_that_are_there(tmp_path: Path) -> None:
    desktop = ROOT / "reference_envs" / "desktop_env"
    scripts = shutil.copytree(desktop / "scripts", tmp_path / "scripts")
    subprocess.run([sys.executable, "-B", scripts / "make_tasks.py"], check=True)
    for path in (desktop / "tasks").iterdir():
        assert (tmp_path / "tasks" / path.name).read_bytes() == path.read_bytes()
