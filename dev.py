#!/usr/bin/env python3
"""Run the project from a clone with nothing but Python and pip.

usage: python3 dev.py build reference_envs/wordle_env     any skill-tools command
       python3 dev.py test [pytest arguments]             the fast tests, and a smoke test of each framework
       python3 dev.py test --changed                      and the parts that a change touches, as CI plays them
       python3 dev.py test --everything                   all tests: hours
       python3 dev.py evals                               what the skills are worth; no key needed
       python3 dev.py docs                                the site of the pages, strictly, into site/

Makes .venv (for evals and docs .venv-evals and .venv-docs) on first use (and again when pyproject.toml
changes), then runs the command in it.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENVS = {"dev": ROOT / ".venv", "evals": ROOT / ".venv-evals", "docs": ROOT / ".venv-docs"}
"""A venv for each group of pyproject.toml: what evals and pages need is not there for the tests."""
MODULES = {"test": "pytest", "evals": "evals", "docs": "tools.site"}
"""Our own commands, and what each of them runs."""
SCRIPTS = "Scripts" if os.name == "nt" else "bin"


def main() -> int:
    """Set up if need be, then run; returns the command's exit code."""
    if sys.version_info < (3, 11):
        version = sys.version.split()[0]
        sys.exit(f"error: this is Python {version}; rl-env-skills needs 3.11 or newer")
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    name, *rest = sys.argv[1:]
    programs = set_up(name if name in VENVS else "dev")
    python = [programs / "python", "-m", MODULES.get(name)]
    command = python if name in MODULES else [programs / "skill-tools", name]
    path = f"{programs}{os.pathsep}{os.environ.get('PATH', '')}"
    try:
        return subprocess.run(
            [*map(str, command), *rest],
            cwd=ROOT if name in MODULES else None,
            # With bytecode, which some machines forbid globally: thousands of processes of ours start.
            env={**os.environ, "PATH": path, "PYTHONDONTWRITEBYTECODE": ""},
            check=False,
        ).returncode
    except KeyboardInterrupt:
        return 130


def set_up(group: str) -> Path:
    """Create a group's venv with this package (editable), unless it is up to date; its programs."""
    folder = VENVS[group]
    programs = folder / SCRIPTS
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes() + str(ROOT).encode()).hexdigest()
    stamp = folder / "set-up"
    if stamp.is_file() and stamp.read_text() == wanted:
        return programs
    print(f"setting up {folder.name} (once)", file=sys.stderr, flush=True)
    venv.create(folder, with_pip=True, clear=True)
    python = str(programs / "python")
    run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "uv"])
    # Compiled now: where Python may not write bytecode, every start would compile all of it. Of
    # what the evals need they import a part, and compile that when they first do.
    install = [
        "pip",
        "install",
        "--quiet",
        *(["--compile-bytecode"] if group == "dev" else []),
        "--python",
        python,
        *(["--editable", str(ROOT)] if group != "docs" else []),
    ]
    run([str(programs / "uv"), *install, "--group", f"{ROOT / 'pyproject.toml'}:{group}"])
    stamp.write_text(wanted)
    return programs


def run(command: list[str]) -> None:
    """Run a set-up step; ends the program with its output if it fails."""
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode:
        sys.exit(f"error: {' '.join(command)}\n{found.stdout}{found.stderr}")


if __name__ == "__main__":
    sys.exit(main())
