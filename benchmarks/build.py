"""Building: the first environment in a fresh clone, the second, and a rebuild after an edit.

The clone is the working tree as it lies here, its venvs are made from nothing, and packages come
from the caches of pip and uv where those have them.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from comparison import ROOT, Row, author_files, say, scratch_folder, show

from skill_tools.runtime import supervise
from skill_tools.runtime.environment import child_environment

FIRST, SECOND, REBUILD = 90.0, 20.0, 20.0
LIMIT = 600.0
TREE = ("git", "ls-files", "--cached", "--others", "--exclude-standard", "-z")
WORDLE = Path("reference_envs", "wordle_env")


@dataclass(frozen=True)
class Run:
    """One command of the clone's."""

    seconds: float
    code: int

    def row(self, what: str, bar: float) -> Row:
        """Its line of the table; only a run that ended green meets a bar."""
        ours = f"{self.seconds:.1f} s" + (f", exit code {self.code}" if self.code else "")
        ratio = f"{self.seconds / bar:.2f} of the bar"
        met = self.code == 0 and self.seconds < bar
        return Row(what, ours, ratio=ratio, bar=f"under {bar:g} s", met=met)


def main() -> int:
    """Measure and print; returns the exit code."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    with scratch_folder() as scratch:
        clone = copy_tree(scratch / "clone")
        second = author_files(scratch / "connect_four")

        def dev(*arguments: str | Path) -> Run:
            return run(scratch, clone, arguments)

        set_up = dev("frameworks")
        first = dev("build", WORDLE)
        other = dev("build", second)
        with (second / "game.py").open("a") as game:
            game.write("\n# An edit.\n")
        again = dev("build", second)
    whole = Run(set_up.seconds + first.seconds, set_up.code or first.code)
    rows = [
        whole.row("fresh clone to the report of the first", FIRST),
        Row("  of this, setting up the clone's .venv", f"{set_up.seconds:.1f} s"),
        other.row("the second environment, to its report", SECOND),
        again.row("after an edit of game.py, to the report", REBUILD),
    ]
    return show("Building, everything in the package caches", "", rows)


def copy_tree(target: Path) -> Path:
    """What git knows or would take, without what is ignored."""
    listed = subprocess.run(TREE, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target / name)
    return target


def run(scratch: Path, clone: Path, arguments: Sequence[str | Path]) -> Run:
    """Run `python3 dev.py` with arguments in the clone."""
    python = Path(sys.base_prefix, "bin", "python3")
    cache = {"SKILL_TOOLS_CACHE": str(scratch / "cache")}
    environment = child_environment(cache, keep=os.environ)
    say(f"dev.py {' '.join(map(str, arguments))}")
    started = time.perf_counter()
    result = supervise.run(
        [python, clone / "dev.py", *arguments],
        cwd=clone,
        env=environment,
        timeout=LIMIT,
        log=scratch / "dev.log",
    )
    if result.returncode:
        say(f"it failed:\n{result.log_tail}")
    return Run(time.perf_counter() - started, result.returncode)


if __name__ == "__main__":
    sys.exit(main())
