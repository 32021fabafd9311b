"""What the tests see of the machine's processes, whatever else runs there."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from .processes import MARK, commands, kill, marked, named, plays

# A folder so deep that Linux does not tell its path: reading it fails with ENAMETOOLONG.
DEEP = """
import os, sys, time
for _ in range(25):
    os.mkdir("d" * 200)
    os.chdir("d" * 200)
print("there", flush=True)
time.sleep(60)
"""
NEAR = "import sys, time; print('there', flush=True); time.sleep(60)"


@pytest.fixture
def hostile(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    with running(tmp_path, DEEP) as process:
        yield process
        process.kill()


def running(folder: Path, code: str, *words: str, **env: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words],
        cwd=folder,
        env=env,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "there\n"
    return process


def test_a_process_that_cannot_be_looked_at_hides_no_other(
    hostile: subprocess.Popen[str], tmp_path: Path
) -> None:
    word = tmp_path.name
    with pytest.raises(OSError, match="File name too long"):
        Path(f"/proc/{hostile.pid}/cwd").readlink()
    with running(tmp_path, NEAR, word, **{MARK: word}) as near:
        found = [plays(tmp_path), marked(word), named(word)]
        assert [[process.pid for process in each] for each in found] == [[near.pid]] * 3
        assert commands(found[0])[0].endswith(word)
        kill(found[0])
    assert near.returncode == -9
    assert commands(found[0]) == []
    kill(found[0])
