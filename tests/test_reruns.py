"""A listed test that fails once is played again and named; another is not, and neither are many."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import ROOT
from .reruns import LISTED, MOST

MOST_LISTED = 11
"""Files in .ci/flaky.txt. Lower it with the list; never raise it."""
CONFTEST = """
import pytest
from tests import reruns
from tests.conftest import pytest_sessionfinish, pytest_terminal_summary

def pytest_collection_modifyitems(items):
    for item in items:
        if "listed" in item.name:
            item.add_marker(pytest.mark.flaky(reruns=1))
"""
LATE = """
from pathlib import Path
import pytest

@pytest.mark.parametrize("number", range({count}))
def test_{name}(number):
    before = Path(__file__).with_name(f"before-{{number}}")
    there = before.exists()
    before.touch()
    assert there
"""


def test_the_list_only_shrinks_and_names_files_of_live_tests() -> None:
    assert len(LISTED) <= MOST_LISTED
    assert not [path for path in LISTED if not (ROOT / path).is_file()]
    assert not [path for path in LISTED if not path.startswith(("tests/live/", "tests/mcp/"))]


@pytest.mark.everything("costly")
@pytest.mark.parametrize(
    ("name", "count", "passes"),
    [("listed", 1, True), ("listed", MOST + 1, False), ("other", 1, False)],
    ids=["one that is listed", "too many", "one that is not listed"],
)
def test_what_passes_at_the_second_time_is_named(
    tmp_path: Path, name: str, count: int, passes: bool
) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_it.py").write_text(LATE.format(name=name, count=count))
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        "2" if name == "listed" and passes else "0",
        "--rootdir",
        str(tmp_path),
    ]
    run = subprocess.run(
        [*command, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (run.returncode == 0) is passes, run.stdout + run.stderr
    named = f"test_it.py::test_{name}[0]" in run.stdout.partition("played again: ")[2]
    assert named is (name == "listed"), run.stdout
    assert ("the run fails" in run.stdout) is (count > MOST)
