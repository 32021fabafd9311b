"""Find the files in this process's venv that a list of distributions needs."""

from __future__ import annotations

import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from . import SandboxUnavailable

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_EXTRA = re.compile(r"\bextra\s*==")


def importable(names: tuple[str, ...]) -> dict[str, str]:
    """Return the folders and modules of distributions and of their dependencies, as {name: path}.

    Raises SandboxUnavailable for a distribution that is not installed.
    """
    found: dict[str, str] = {}
    for each in _with_needs(names).values():
        for file in each.files or []:
            top = file.parts[0]
            if top not in ("..", "__pycache__") and not top.endswith(".pth"):
                path = Path(each.locate_file(top)).resolve()
                if path.exists():
                    found[top] = str(path)
    return found


def _with_needs(names: tuple[str, ...]) -> dict[str, Distribution]:
    found: dict[str, Distribution] = {}
    waiting = [(name, True) for name in names]
    while waiting:
        name, asked_for = waiting.pop()
        key = re.sub(r"[-_.]+", "-", name).lower()
        if key in found:
            continue
        try:
            found[key] = distribution(name)
        except PackageNotFoundError:
            # A missing dependency is for another system, or optional.
            if asked_for:
                fix = "add it to `packages` in env.yaml and render, or install it in this venv"
                raise SandboxUnavailable(f"{name} is not installed\n    fix: {fix}") from None
            continue
        for line in found[key].requires or []:
            if not _EXTRA.search(line):
                waiting.append((_NAME.match(line)[0], False))
    return found
