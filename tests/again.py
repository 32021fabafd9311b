"""What CI does when tests failed: plays a few of them again, alone, and remembers which pass then.

usage: python -m tests.again CODE        CODE: how pytest ended

Thousands of tests start real programs side by side: one or two may lack the machine. What fails
alone as well is broken, and so is what ends in another way than by failed tests. Nothing of CI's
own outlives a run, so what passed only at the second time is kept in the repository: whoever reads
the run adds it to .ci/flaky.txt, a name per line. Once it is there, passing at the second time is a
failure: the test, or what it tests, is to be mended, and the line removed.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Collection, Sequence
from pathlib import Path

import pytest

from . import selection

ROOT = Path(__file__).parent.parent
KNOWN = ROOT / ".ci" / "flaky.txt"
MOST = 3
"""Tests that are played again; if more fail, something is broken."""


def main(code: int, root: Path = ROOT, known: Path = KNOWN) -> int:
    """Play the failed tests of a folder's last run again; 0 if that may land."""
    failed = last_failed(root) if code == pytest.ExitCode.TESTS_FAILED else []
    if not 0 < len(failed) <= MOST:
        return code
    print("played again, alone:", *failed, flush=True)
    again = [sys.executable, "-m", "pytest", "-q", "-n", "0", *failed]
    if code := subprocess.run(again, cwd=root, check=False).returncode:
        return code
    return judge(failed, known.read_text("utf-8").splitlines())


def last_failed(root: Path) -> list[str]:
    """The names of the tests that failed, without the group that xdist puts behind an @."""
    file = root / ".pytest_cache" / "v" / "cache" / "lastfailed"
    names = json.loads(file.read_text("utf-8")) if file.exists() else {}
    return [selection.ungrouped(name) for name in names]


def judge(passed: Sequence[str], known: Collection[str]) -> int:
    """Say what to do about tests that passed at the second time; 1 if one of them was known."""
    for name in passed:
        if name in known:
            print(f"{name} passes only at the second time, not for the first time: mend it")
        else:
            print(f"passed only at the second time; add this line to .ci/flaky.txt:\n{name}")
    return int(any(name in known for name in passed))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
