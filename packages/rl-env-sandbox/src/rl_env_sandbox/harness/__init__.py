"""The harness of an environment with a screen: its computer-use models, and its page for people.

Its modules play an environment's episodes, and so import the modules of its `_shared/` as if they lay
there: `computer_models` of two environments are two modules. `module` loads one.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

_HERE = str(Path(__file__).parent)


def module(package: str, name: str) -> ModuleType:
    """A module of the harness for an environment, such as `computer_models` for desktop_domain."""
    shared = importlib.import_module(f"{package}._shared")
    if _HERE not in shared.__path__:
        shared.__path__ = [*shared.__path__, _HERE]  # behind its own, which come first
    return importlib.import_module(f"{package}._shared.{name}")
