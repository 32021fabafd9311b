"""Sessions of the local backend beside plain Jupyter kernels: start, latency, memory, many at once."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from comparison import CONNECT_FOUR, LOAD, Row, show

import skill_tools
from skill_tools.files import write_files
from skill_tools.render import plan as render
from skill_tools.render import wheel
from skill_tools.runtime import interpreters, supervise, venvs
from skill_tools.runtime.environment import child_environment

FASTER, LIGHTER = 10.0, 2.0
HELD_TO = "64"
"""As many sessions as one server has to hold: the memory of so many is held to the bar."""
REQUIREMENTS = (
    "ipython>=9,<10", "numpy", "pandas", "matplotlib", "ipykernel", "jupyter-client",
)  # fmt: skip
WARM = ("IPython", "numpy", "pandas", "matplotlib.pyplot", "ipykernel.kernelapp", "jupyter_client")
SECONDS = 1200.0


def main() -> int:
    """Measure and print; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--single", type=int, default=20, help="sessions one after the other")
    parser.add_argument(
        "--many", type=int, nargs="*", default=[8, 64, 200], help="sessions at once"
    )
    parser.add_argument(
        "--plain-most", type=int, default=64,
        help="plain kernels at once at most: each takes 50 to 110 MB",
    )  # fmt: skip
    arguments = parser.parse_args()
    few = [count for count in arguments.many if count <= arguments.plain_most]
    print(f"load of this machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        write_sandbox(folder)
        ours = measured(folder, "ours", arguments.single, arguments.many)
        plain = measured(folder, "plain", arguments.single, few)
    return show("sessions", "jupyter_client + ipykernel", rows(ours, plain))


def write_sandbox(folder: Path) -> None:
    """Write the package rl_env_sandbox into a folder, beside what says which environment it is for."""
    spec = skill_tools.load(CONNECT_FOUR).model_copy(update={"backend": "local"})
    declared = render.texts(render.plan(spec, []))["_shared/env_spec.py"]
    write_files(
        folder, {f"{spec.package}/_shared/env_spec.py": declared, **wheel.SANDBOX.sources()}
    )


def measured(folder: Path, kind: str, single: int, many: list[int]) -> dict[str, Any]:
    """What kernel_sessions.py prints for one kind of session."""
    python = venvs.base(REQUIREMENTS, interpreters.find(">=3.11,<3.15"), WARM).python
    log = folder / f"{kind}.log"
    command = [python, LOAD / "kernel_sessions.py", kind, str(single), *map(str, many)]
    # As a user has it: what is imported is compiled once, and not by every kernel.
    extra = {"PYTHONPATH": str(folder), "HOME": str(folder), "IPYTHONDIR": str(folder / "ipython")}
    environment = child_environment(extra)
    del environment["PYTHONDONTWRITEBYTECODE"]
    done = supervise.run(command, cwd=folder, env=environment, timeout=SECONDS, log=log)
    if done.returncode:
        sys.exit(f"{kind} failed:\n{done.log_tail}")
    return json.loads(log.read_text("utf-8").splitlines()[-1])


def rows(ours: dict[str, Any], plain: dict[str, Any]) -> list[Row]:
    """The table: times and memory side by side."""

    def times(what: str, key: str, bar: float | None = None) -> Row:
        ratio = plain[key] / ours[key]
        bar_text = f"at least {bar:g}x faster" if bar else ""
        texts = [f"{each[key] * 1000:.1f} ms" for each in (ours, plain)]
        return Row(what, *texts, f"{ratio:.1f}x", bar_text, ratio >= bar if bar else None)

    found = [
        times("start until the result of 1+1, median", "start", FASTER),
        times("the very first session of a process", "first"),
        times("1+1, p50", "p50"),
        times("1+1, p95", "p95"),
        times("end, median", "end"),
    ]
    for count, mine in ours["many"].items():
        theirs = plain["many"].get(count)
        found += [many(count, "seconds", "until all of {} have a result", "s", mine, theirs)]
        found += [many(count, "round", "1+1 once more in each of {}", "s", mine, theirs)]
        found += [many(count, "idle", "memory of each of {}, idle", "MB", mine, theirs)]
        found += [many(count, "imported", "memory of each of {}, imported", "MB", mine, theirs)]
    return found


def many(count: str, key: str, what: str, unit: str, mine: dict[str, float], theirs: Any) -> Row:
    """A line about many sessions at once."""
    other = f"{theirs[key]:.1f} {unit}" if theirs else "not tried"
    ratio = theirs[key] / mine[key] if theirs else 0.0
    held = theirs and unit == "MB" and count == HELD_TO
    bar_text = f"at least {LIGHTER:g}x lighter" if held else ""
    shown = f"{ratio:.1f}x" if theirs else ""
    met = ratio >= LIGHTER if held else None
    return Row(what.format(count), f"{mine[key]:.1f} {unit}", other, shown, bar_text, met)


if __name__ == "__main__":
    sys.exit(main())
