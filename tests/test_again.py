"""What CI does when tests failed: real runs of pytest, on a test that fails at the first time."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from . import again

LATE = """
from pathlib import Path
import pytest

@pytest.mark.parametrize("a", ["[x@y]"])
def test_late(a):
    before = Path(__file__).with_name("before")
    there = before.exists()
    before.touch()
    assert there

def test_fine():
    pass
"""
NAME = "test_it.py::test_late[[x@y]]"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_it.py").write_text(LATE)
    (tmp_path / "flaky.txt").write_text("")
    return tmp_path


def tried(folder: Path) -> int:
    """How CI ends."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0"]
    code = subprocess.run(command, cwd=folder, check=False).returncode
    return again.main(code, folder, folder / "flaky.txt")


@pytest.mark.live
def test_what_passes_at_the_second_time_is_told_with_the_line_to_add(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert tried(folder) == 0
    said = capfd.readouterr().out
    assert f"played again, alone: {NAME}\n" in said
    assert said.endswith(f"add this line to .ci/flaky.txt:\n{NAME}\n")


@pytest.mark.live
def test_what_is_known_to_need_a_second_time_fails(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "flaky.txt").write_text(f"{NAME}\n")
    assert tried(folder) == 1
    assert (
        f"{NAME} passes only at the second time, not for the first time" in capfd.readouterr().out
    )


@pytest.mark.live
def test_what_fails_alone_as_well_fails(folder: Path) -> None:
    (folder / "test_it.py").write_text(LATE.replace("assert there", "assert False"))
    assert tried(folder) == 1


def test_a_run_that_ended_otherwise_is_not_played_again(folder: Path) -> None:
    assert again.main(pytest.ExitCode.INTERRUPTED, folder) == pytest.ExitCode.INTERRUPTED


def test_a_run_in_which_much_failed_is_not_played_again(folder: Path) -> None:
    cache = folder / ".pytest_cache" / "v" / "cache"
    cache.mkdir(parents=True)
    (cache / "lastfailed").write_text('{"a": true, "b": true, "c": true, "d": true}')
    assert again.main(pytest.ExitCode.TESTS_FAILED, folder) == pytest.ExitCode.TESTS_FAILED


def test_the_group_that_a_worker_prints_is_no_part_of_a_name(folder: Path) -> None:
    cache = folder / ".pytest_cache" / "v" / "cache"
    cache.mkdir(parents=True)
    names = ["a.py::test_b@live/a", "a.py::test_b[c@d]@live/a:c", "a.py::test_b[c@d]"]
    (cache / "lastfailed").write_text(json.dumps(dict.fromkeys(names, True)))
    assert again.last_failed(folder) == ["a.py::test_b", "a.py::test_b[c@d]", "a.py::test_b[c@d]"]


def test_every_line_names_a_test_that_there_is() -> None:
    lines = again.KNOWN.read_text("utf-8").splitlines()
    for name in (line for line in lines if not line.startswith("#")):
        path, _, test = name.partition("::")
        source = (again.ROOT / path).read_text("utf-8")
        assert f"def {test.partition('[')[0]}(" in source, name
