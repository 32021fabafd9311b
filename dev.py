#!/usr/bin/env python3
"""Run the project from a clone with nothing but Python and pip.

usage: python3 dev.py build reference_envs/wordle_env     any skill-tools command
       python3 dev.py test [pytest arguments]             the tests, in ten minutes on two cores
       python3 dev.py test --everything                   and those that are left out of them

Makes .venv on first use (and again when pyproject.toml changes), then runs the command in it.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")


def main() -> int:
    """Set up if need be, then run; returns the command's exit code."""
    if sys.version_info < (3, 11):
        version = sys.version.split()[0]
        sys.exit(f"error: this is Python {version}; rl-env-skills needs 3.11 or newer")
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    set_up()
    name, *rest = sys.argv[1:]
    command = [BIN / "python", "-m", "pytest"] if name == "test" else [BIN / "skill-tools", name]
    path = f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}"
    try:
        return subprocess.run(
            [*map(str, command), *rest],
            cwd=ROOT if name == "test" else None,
            env={**os.environ, "PATH": path},
            check=False,
        ).returncode
    except KeyboardInterrupt:
        return 130


def set_up() -> None:
    """Create .venv with this package (editable) and its test tools, unless it is up to date."""
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes() + str(ROOT).encode()).hexdigest()
    stamp = VENV / "set-up"
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    print("setting up .venv (once)", file=sys.stderr, flush=True)
    venv.create(VENV, with_pip=True, clear=True)
    python = str(BIN / "python")
    run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "uv"])
    # Compiled now: where Python may not write bytecode, every start would compile all of it.
    install = [
        "pip",
        "install",
        "--quiet",
        "--compile-bytecode",
        "--python",
        python,
        "--editable",
        str(ROOT),
    ]
    run([str(BIN / "uv"), *install, "--group", f"{ROOT / 'pyproject.toml'}:dev"])
    stamp.write_text(wanted)


def run(command: list[str]) -> None:
    """Run a set-up step; ends the program with its output if it fails."""
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode:
        sys.exit(f"error: {' '.join(command)}\n{found.stdout}{found.stderr}")


if __name__ == "__main__":
    sys.exit(main())
