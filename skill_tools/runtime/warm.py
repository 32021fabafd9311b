"""Compiles what a rollout will import; run by the Python of a new venv, imported by nobody.

usage: python -I warm.py MODULE...

Isolated, it does not see PYTHONDONTWRITEBYTECODE, which some machines set globally. It uses the
standard library alone: it runs in a venv that has nothing of ours.
"""

import compileall
import contextlib
import importlib
import sys
import sysconfig
from pathlib import Path

MOST = 120
"""Files of a package that is compiled whole. Of a larger one a rollout imports few; to compile all
of them would take longer than many rollouts."""


def main() -> None:
    """Import the modules, then compile what they may import later."""
    for name in sys.argv[1:]:
        with contextlib.suppress(Exception):
            importlib.import_module(name)
    for package in Path(sysconfig.get_path("purelib")).iterdir():
        files = list(package.rglob("*.py")) if package.is_dir() else []
        if len(files) <= MOST:
            for file in files:
                compileall.compile_file(file, quiet=2)


if __name__ == "__main__":
    main()
