"""Desktops of the local backend beside plain Xvfb, xdotool and scrot: start, pictures, keys, memory.

Needs what `skill-tools doctor reference_envs/desktop_env` names, and xdotool, scrot and x11-utils.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from comparison import LOAD, ROOT, Row, show

import skill_tools
from skill_tools.render import wheel
from skill_tools.render.plan import DOMAIN_REQUIREMENTS
from skill_tools.runtime import interpreters, supervise, venvs
from skill_tools.runtime.environment import child_environment

DESKTOP = ROOT / "reference_envs" / "desktop_env"
FASTER = 5.0
SECONDS = 600.0


def main() -> int:
    """Measure and print; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--single", type=int, default=12, help="desktops one after the other")
    parser.add_argument("--many", type=int, nargs="*", default=[8, 32], help="desktops at once")
    arguments = parser.parse_args()
    print(f"load of this machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        spec = skill_tools.load(DESKTOP)
        (folder / spec.package).symlink_to(DESKTOP)
        (folder / wheel.SANDBOX.imported).symlink_to(
            wheel.sandbox_source() / wheel.SANDBOX.imported
        )
        wanted = [*DOMAIN_REQUIREMENTS, *spec.packages, "psutil"]
        python = venvs.base(wanted, interpreters.find(">=3.11,<3.15")).python
        ours, plain = (
            measured(folder, python, kind, arguments.single, arguments.many)
            for kind in ("ours", "plain")
        )
    return show("desktops", "Xvfb, xdotool, scrot", rows(ours, plain))


def measured(folder: Path, python: Path, kind: str, single: int, many: list[int]) -> dict[str, Any]:
    """What desktop_sessions.py prints for one kind of desktop."""
    log = folder / f"{kind}.log"
    command = [python, LOAD / "desktop_sessions.py", kind, str(single), *map(str, many)]
    environment = child_environment({"PYTHONPATH": str(folder)})
    done = supervise.run(command, cwd=folder, env=environment, timeout=SECONDS, log=log)
    if done.returncode:
        sys.exit(f"{kind} failed:\n{done.log_tail}")
    return json.loads(log.read_text("utf-8").splitlines()[-1])


def rows(ours: dict[str, Any], plain: dict[str, Any]) -> list[Row]:
    """The table: times and memory side by side."""

    def times(what: str, key: str, bar: float | None = None) -> Row:
        ratio = plain[key] / ours[key]
        bar_text = f"at least {bar:g}x" if bar else ""
        texts = [f"{each[key] * 1000:.1f} ms" for each in (ours, plain)]
        return Row(what, *texts, f"{ratio:.1f}x", bar_text, ratio >= bar if bar else None)

    found = [
        times("start until the first picture, median", "start", FASTER),
        times("the very first desktop of a process", "first"),
        times("a picture of an idle screen", "shot", FASTER),
        times("a key until its picture, programs idle again", "press"),
        times("CPU of the server and its tools per key and picture", "cpu", 1.0),
        times("end, median", "end"),
    ]
    for count, mine in ours["many"].items():
        theirs = plain["many"][count]
        for key, what, unit in (
            ("seconds", f"until all of {count} have a picture", "s"),
            ("again", f"one more picture of each of {count}", "s"),
            ("each", f"memory of each of {count}", "MB"),
        ):
            ratio = f"{theirs[key] / mine[key]:.1f}x"
            texts = [f"{each[key]:.2f} {unit}" for each in (mine, theirs)]
            found.append(Row(what, *texts, ratio, "", None))
    return found


if __name__ == "__main__":
    sys.exit(main())
