"""Installing skill-tools: seconds, packages and megabytes, without the extra `serve`, with it, and an earlier commit.

Each round installs the wheel into a new venv, first with an empty cache of uv's, which then downloads
everything, and again with the cache that it filled. Then it times what starts most often.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from comparison import ROOT, Row, say, show
from uv import find_uv_bin

STARTS = {
    "--help": ("--help",),
    "check": ("check", "wordle_env"),
    "render --check": ("render", "--check", "wordle_env"),
}
"""What is timed once it is installed, in a folder with a copy of Wordle."""
WARM_UP = 1
"""Starts before those that are timed: the first compiles what was never imported."""
MEGABYTE = 1e6
"""Bytes."""


@dataclass
class Found:
    """What was measured of one way to install, a value a round; seconds but for the last three.

    loaded: modules that `check` imports.
    """

    cold: list[float] = field(default_factory=list)
    warm: list[float] = field(default_factory=list)
    starts: dict[str, list[float]] = field(default_factory=dict)
    megabytes: float = 0.0
    downloaded: float = 0.0
    packages: int = 0
    loaded: int = 0


def main() -> int:
    """Measure and print; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--before", metavar="COMMIT", help="measure this commit, too")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        here = Path(scratch)
        wheel = built(here / "now", "HEAD")
        sources = {"ours": str(wheel), "with [serve]": f"{wheel}[serve]"}
        if args.before:
            sources["before"] = str(built(here / "before", args.before))
        found = {name: Found() for name in sources}
        for number in range(args.rounds):
            for name, wanted in sources.items():
                say(f"round {number + 1}: {name}")
                measure(found[name], wanted, here / f"{number} {name}")
        # Now, because what was installed is some ten thousand files to remove.
        [ours, *others] = found
        return max(
            show(f"Installing, median of {args.rounds}", name, rows(found[ours], found[name]))
            for name in others
        )


def built(folder: Path, commit: str) -> Path:
    """The wheel of a commit."""
    folder.mkdir()
    archive = subprocess.Popen(["git", "archive", commit], cwd=ROOT, stdout=subprocess.PIPE)
    subprocess.run(["tar", "-x", "-C", folder], stdin=archive.stdout, check=True)
    if archive.wait():
        sys.exit(f"there is no commit {commit}")
    subprocess.run([find_uv_bin(), "build", "--quiet", "--wheel", folder], check=True)
    [wheel] = (folder / "dist").glob("*.whl")
    return wheel


def measure(found: Found, source: str, folder: Path) -> None:
    """Install twice, with an empty cache and with the one that is full then, and start what there is."""
    folder.mkdir()
    environment = {
        **os.environ,
        "UV_CACHE_DIR": str(folder / "cache"),
        "SKILL_TOOLS_DATA": str(folder / "data"),
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    venv = folder / "venv"
    for times in (found.cold, found.warm):
        make = [find_uv_bin(), "venv", "--quiet", "--clear", "--python", sys.executable, venv]
        subprocess.run(make, env=environment, check=True)
        python = ["--python", venv / "bin" / "python"]
        install = [find_uv_bin(), "pip", "install", "--quiet", *python, source]
        times.append(seconds(install, folder, environment))
    found.megabytes = size(venv)
    found.downloaded = size(folder / "cache")
    found.packages = len(list(venv.rglob("*.dist-info")))
    subprocess.run(["cp", "-r", ROOT / "reference_envs" / "wordle_env", folder], check=True)
    program = venv / "bin" / "skill-tools"
    for name, words in STARTS.items():
        took = [seconds([program, *words], folder, environment) for _ in range(WARM_UP + 5)]
        found.starts.setdefault(name, []).append(statistics.median(took[WARM_UP:]))
    times = subprocess.run(
        [venv / "bin" / "python", "-X", "importtime", "-m", "skill_tools.cli", *STARTS["check"]],
        cwd=folder, env=environment, check=True, capture_output=True, text=True,
    ).stderr  # fmt: skip
    found.loaded = sum(line.startswith("import time:") for line in times.splitlines()) - 1


def seconds(command: Sequence[str | Path], folder: Path, environment: Mapping[str, str]) -> float:
    """Seconds that a command takes, which has to succeed."""
    started = time.perf_counter()
    subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def size(folder: Path) -> float:
    """Megabytes of the files below a folder; one that has several names counts once."""
    files = (path.lstat() for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sum({each.st_ino: each.st_size for each in files}.values()) / MEGABYTE


def rows(ours: Found, other: Found) -> list[Row]:
    """The table beside one other way; nothing is held to a bar."""

    def timed(what: str, mine: Sequence[float], theirs: Sequence[float]) -> Row:
        a, b = statistics.median(mine), statistics.median(theirs)
        return Row(what, f"{a:.2f} s", f"{b:.2f} s", f"{a / b:.2f}")

    def counted(what: str, mine: float, theirs: float) -> Row:
        return Row(what, f"{mine:,.0f}", f"{theirs:,.0f}", f"{mine / theirs:.2f}")

    return [
        timed("installing, nothing in the cache", ours.cold, other.cold),
        timed("installing, everything in the cache", ours.warm, other.warm),
        counted("megabytes installed", ours.megabytes, other.megabytes),
        counted("megabytes in the cache", ours.downloaded, other.downloaded),
        counted("packages", ours.packages, other.packages),
        *(timed(f"`skill-tools {what}`", ours.starts[what], other.starts[what]) for what in STARTS),
        counted("modules that `check` imports", ours.loaded, other.loaded),
    ]


if __name__ == "__main__":
    sys.exit(main())
