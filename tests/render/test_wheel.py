"""The wheels in an environment: the same bytes always, and what a build makes."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from uv import find_uv_bin

from skill_tools.errors import RenderError
from skill_tools.files import sandbox_project
from skill_tools.render import wheel
from tests.conftest import ROOT

WHEELS = {"SANDBOX": wheel.SANDBOX, "HARNESS": wheel.HARNESS}


@pytest.mark.everything("costly")
@pytest.mark.parametrize("name", WHEELS)
def test_the_same_sources_give_the_same_bytes_in_every_process(name: str) -> None:
    code = (
        f"import sys; from skill_tools.render.wheel import {name} as wheel;"
        " sys.stdout.buffer.write(wheel.content())"
    )
    for seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, env={"PYTHONHASHSEED": seed},
            capture_output=True, check=True,
        )  # fmt: skip
        assert run.stdout == WHEELS[name].content()


def test_it_is_what_is_run_from_the_sources(tmp_path: Path) -> None:
    (tmp_path / "vendor").mkdir()
    before = wheel.SANDBOX.unpacked(
        tmp_path, tmp_path / "cache"
    )  # a build prepares venvs, then renders
    (tmp_path / wheel.SANDBOX.path).write_bytes(wheel.SANDBOX.content())
    folder = wheel.SANDBOX.unpacked(tmp_path, tmp_path / "cache")
    assert folder == before
    found = {
        path.relative_to(folder.parent).as_posix(): path.read_text("utf-8")
        for path in folder.rglob("*.py")
    }
    assert found == wheel.SANDBOX.sources()


@pytest.mark.parametrize("data", [b"", b"no wheel", b"PK\x05\x06" + bytes(18)])
def test_what_is_no_wheel_of_it_is_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "vendor").mkdir()
    (tmp_path / wheel.SANDBOX.path).write_bytes(data)
    with pytest.raises(RenderError, match="fix: render again"):
        wheel.SANDBOX.unpacked(tmp_path, tmp_path / "cache")
    assert not list((tmp_path / "cache").iterdir())


def test_the_wheel_that_lies_there_is_what_plays(tmp_path: Path) -> None:
    (tmp_path / "vendor").mkdir()
    with zipfile.ZipFile(tmp_path / "vendor/rl_env_sandbox-0.0.9-py3-none-any.whl", "w") as older:
        older.writestr("rl_env_sandbox/__init__.py", "OLDER = True")
    folder = wheel.SANDBOX.unpacked(tmp_path, tmp_path / "cache")
    assert (folder / "__init__.py").read_text() == "OLDER = True"


def _read(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.live
@pytest.mark.everything("installers")
def test_it_holds_what_hatchling_builds(tmp_path: Path) -> None:
    command = [find_uv_bin(), "build", "--wheel", "--quiet", "-o", tmp_path, sandbox_project()]
    subprocess.run(command, check=True, capture_output=True)
    (built,) = tmp_path.glob("*.whl")
    assert built.name == Path(wheel.SANDBOX.path).name
    (tmp_path / "ours").write_bytes(wheel.SANDBOX.content())
    theirs, ours = _read(built), _read(tmp_path / "ours")
    assert set(ours) == set(theirs)
    for name in ours:
        if name.endswith(".py"):
            assert ours[name] == theirs[name], name
    (info,) = {name.partition("/")[0] for name in ours if ".dist-info/" in name}
    generator = re.compile(rb"Generator: .*\n")
    assert generator.sub(b"", ours[f"{info}/WHEEL"]) == generator.sub(b"", theirs[f"{info}/WHEEL"])
    mine, other = (message_from_bytes(each[f"{info}/METADATA"]) for each in (ours, theirs))
    assert mine.get_payload() == other.get_payload()
    for each in (mine, other):
        del each["Metadata-Version"]
        needed = {str(Requirement(text)) for text in each.get_all("Requires-Dist")}
        del each["Requires-Dist"]
        each["Requires-Dist"] = "\n".join(sorted(needed))
    assert sorted(mine.items()) == sorted(other.items())
    same = [f"{name},".encode() for name in ours if name.endswith(".py")]
    lines = [set(each[f"{info}/RECORD"].splitlines()) for each in (ours, theirs)]
    assert all(any(line.startswith(start) for line in lines[0] & lines[1]) for start in same)


@pytest.mark.live
@pytest.mark.everything("installers")
@pytest.mark.parametrize("name", WHEELS)
def test_pip_and_uv_install_it(name: str, tmp_path: Path) -> None:
    packed = WHEELS[name]
    file = tmp_path / Path(packed.path).name
    file.write_bytes(packed.content())
    venv = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    pip = [venv / "bin" / "pip", "install", "--quiet", "--no-index", "--no-deps", file]
    uv = [find_uv_bin(), "pip", "install", "--quiet", "--python", venv / "bin" / "python"]
    for command in (pip, [*uv, "--reinstall", "--no-index", "--no-deps", file]):
        subprocess.run(command, check=True, capture_output=True)
        code = f"import {packed.imported}, importlib.metadata as m; print(m.version('{packed.distribution}'))"
        run = subprocess.run(
            [venv / "bin" / "python", "-I", "-c", code], capture_output=True, text=True, check=True
        )
        assert run.stdout.strip() in file.name
