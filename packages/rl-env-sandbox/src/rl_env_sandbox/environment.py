"""The environment that opens a session: its name, its backend, its screen, and its files.

A process may contain several environments, as a trainer's process does. The relevant environment is the
environment whose code is on the stack. An environment is a package with `_shared/env_spec.py`, as in all
rendered environments. Code outside any environment gets `NOBODY`, whose variables begin with SANDBOX.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

PROTOCOL = 1
"""Version of the interface between environments and this package; increased when environments
rendered earlier would need a different package."""
OLDEST = 1
"""The oldest version that this package still supports."""

SCREEN: Mapping[str, Any] = {
    "size": (1024, 768),
    "format": "png",
    "quality": 80,
    "unchanged": "note",
}
"""The default screen of an environment: size in pixels, format of pictures (png, jpeg, webp), quality of jpeg and
webp from 1 to 100, and the observation after an action that changed nothing.
"""


class SandboxUnavailable(RuntimeError):
    """Raised because the selected backend cannot be used here. The message names what is missing, and the fix."""


@dataclass(frozen=True)
class Environment:
    """The facts about an environment that this package uses.

    Attributes:
        name: The name in capitals, which is the prefix of the environment's variables.
        backend: The backend of sessions, unless a variable selects another backend.
        folders: The folders with the environment's files, which no session may read.
        screen: The screen, in the format of `SCREEN`.
    """

    name: str
    backend: str = "local"
    folders: tuple[str, ...] = ()
    screen: Mapping[str, Any] = field(default_factory=lambda: SCREEN, compare=False)

    def variable(self, what: str) -> str:
        """Return the full name of one of the environment's variables, such as JUPYTER_BACKEND."""
        return f"{self.name.upper()}_{what}"


NOBODY = Environment("sandbox")
"""Represents code outside any environment."""


def calling() -> Environment:
    """Return the environment on the stack, otherwise the only imported environment, otherwise NOBODY.

    Raises SandboxUnavailable if the environment's protocol is not supported. The same error is raised if several
    environments are imported and none of them is on the stack.
    """
    for package in _on_the_stack():
        if found := _environment(package):
            return found
    # A thread that a domain starts may begin in this file.
    ending = "._shared.env_spec"
    there = sorted({name.removesuffix(ending) for name in sys.modules if name.endswith(ending)})
    several = [found for package in there if (found := _environment(package))]
    if len(several) > 1:
        names = ", ".join(found.name for found in several)
        raise SandboxUnavailable(
            f"a thread opened a session, but for which environment is unclear: {names}\n"
            "    fix: call open_sandbox from a function of the environment's own module"
        )
    return several[0] if several else NOBODY


def _on_the_stack() -> Iterator[str]:
    frame = sys._getframe(1)
    while frame:
        package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if package and package != __name__.partition(".")[0]:
            yield package
        frame = frame.f_back


def _environment(package: str) -> Environment | None:
    module = f"{package}._shared.env_spec"
    if not getattr(sys.modules.get(package), "__path__", None):
        return None
    if module not in sys.modules:
        try:
            if importlib.util.find_spec(module) is None:
                return None
        except (ImportError, ValueError):
            return None
    spec = importlib.import_module(module)
    if not isinstance(name := getattr(spec, "NAME", None), str):
        return None
    protocol = getattr(spec, "SANDBOX_PROTOCOL", OLDEST)
    if not OLDEST <= protocol <= PROTOCOL:
        raise SandboxUnavailable(
            f"{name} was rendered for protocol {protocol} of rl-env-sandbox; this version speaks "
            f"{OLDEST} to {PROTOCOL}\n"
            f"    fix: {'render it again' if protocol < OLDEST else 'install a newer rl-env-sandbox'}"
        )
    folders = tuple(map(os.fspath, sys.modules[package].__path__))
    backend = getattr(spec, "BACKEND", "none")
    screen = {**SCREEN, **getattr(spec, "DISPLAY", {})}
    return Environment(name, "local" if backend == "none" else backend, folders, screen)
