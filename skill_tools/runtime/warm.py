"""Compile the modules that a rollout will import. The Python of a new venv runs this file; it is never imported.

usage: python -I warm.py MODULE...

In isolated mode, Python ignores PYTHONDONTWRITEBYTECODE, which some machines set globally. The file uses only
the standard library, because its venv has none of our packages.
"""

import compileall
import contextlib
import importlib
import sys
import sysconfig
from pathlib import Path

MOST = 120
"""Maximum number of files of a package that is compiled completely. A rollout imports few files of
a larger one; compiling all of them would take longer than many rollouts."""


def main() -> None:
    """Import the given modules, and then compile all modules that they may import later."""
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
