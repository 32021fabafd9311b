"""Sandboxes: where an episode's programs run, apart from this process and from other episodes.

The domain opens one per episode and
closes it in its own `close()`:

    self._sandbox = open_sandbox(files={"data.csv": b"..."}, packages=["ipython", "pandas"])
    result = self._sandbox.run_code("import pandas; pandas.read_csv('data.csv')")

A backend is a module with `open_session(settings)`. The environment variable <NAME>_BACKEND, with
the environment's name in capitals, chooses one; without it, env.yaml does. `environment.py` says which
environment that is; for code of none, the variable is SANDBOX_BACKEND, and `local` is the backend.

- `local`: IPython kernels and bash commands run as processes on this machine. One warm process
  forks all of them, so that a session starts in milliseconds and many run at once.
- `e2b`: every episode gets a virtual machine of its own at E2B (https://e2b.dev), started for it
  and ended with it. Needs E2B_API_KEY and e2b-code-interpreter>=2.11,<3.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from .environment import OLDEST, PROTOCOL, Environment, SandboxUnavailable, calling

__all__ = [
    "HOME",
    "LARGEST",
    "OLDEST",
    "PROTOCOL",
    "SECRETS",
    "CellResult",
    "CommandResult",
    "Environment",
    "Limits",
    "Sandbox",
    "SandboxFailed",
    "SandboxUnavailable",
    "Settings",
    "at_most",
    "backend",
    "open_sandbox",
]

SECRETS: dict[str, tuple[str, ...]] = {"local": (), "e2b": ("E2B_API_KEY",)}
"""The backends, and the environment variables that each cannot do without."""

LARGEST = 32 * 1024 * 1024
"""Bytes of one file, at the beginning or later, that are read or written at once."""

HOME = "/home/user"
"""Working directory of a session, where its files are; a backend whose folder has another name
shows it under this one."""


class SandboxFailed(RuntimeError):
    """The machinery broke (never the agent's doing): the episode has no score."""


@dataclass(frozen=True)
class Limits:
    """What one session may use. Seconds are wall-clock time unless they say otherwise."""

    cell_seconds: float = 30.0
    """A cell is interrupted then, with its variables kept; if it continues, its kernel is killed."""
    command_seconds: float = 30.0
    """A shell command is killed then."""
    memory_mb: int = 1024
    """All processes of a session together."""
    disk_mb: int = 256
    """All files of a session together."""
    processes: int = 64
    """Processes and threads of a session at any time."""
    cpu_seconds: int = 600
    """CPU time of any one process."""
    output_mb: int = 8
    """Printed by one cell or command; it is stopped there."""
    sandbox_seconds: int = 3600
    """Lifetime of a cloud sandbox that nobody closes."""


def at_most(limit: float, seconds: float | None) -> float:
    """The seconds of one call: its own, within the session's limit. Raises ValueError for none."""
    if seconds is not None and not seconds > 0:
        raise ValueError(f"seconds is {seconds!r}; it must be more than 0")
    return limit if seconds is None else min(seconds, limit)


@dataclass(frozen=True)
class Settings:
    """What a session is opened with; see `open_sandbox`."""

    files: Mapping[str, bytes] = field(default_factory=dict)
    packages: Sequence[str] = ()
    warm: Sequence[str] = ()
    seed: int = 0
    variables: Mapping[str, str] = field(default_factory=dict)
    limits: Limits = Limits()
    display: tuple[int, int] | None = None
    """Width and height of the session's screen in pixels; None where it has none."""
    environment: Environment = field(default_factory=calling)
    """The environment that opens it."""


@dataclass(frozen=True)
class CellResult:
    """What running a cell brought.

    outputs: as in a notebook file (nbformat 4): stream, display_data, execute_result and error.
    execution_count: the number in `In [n]`; None when the code never ran.
    status: ok; error (an exception, or the cell was stopped: variables are kept); or lost (the
        kernel died or was killed: a new one has started, without variables, with the files).
    note: why it was stopped or lost, for the agent to read; "" otherwise.
    """

    outputs: Sequence[Mapping[str, Any]]
    execution_count: int | None
    status: Literal["ok", "error", "lost"]
    note: str = ""


@dataclass(frozen=True)
class CommandResult:
    """What a shell command printed (stdout and stderr in one) and how it ended.

    exit_code: None when it was stopped; the note then says why.
    """

    output: str
    exit_code: int | None
    note: str = ""


class Sandbox(Protocol):
    """One episode's session. Its methods block; an agent's worst code raises none of them.

    What the agent did wrong is in the results. SandboxFailed means that the machinery broke.
    """

    restarts: int
    """How often the session itself broke and began again with its first files, none of the agent's:
    the agent's doing. What is scored then is not what the agent left."""

    def run_code(self, code: str, seconds: float | None = None) -> CellResult:
        """Run a cell in the session's IPython kernel, which keeps its variables between cells.

        seconds: for this one, if that is less than its limit.
        """

    def run_command(self, command: str, seconds: float | None = None) -> CommandResult:
        """Run a command in a new bash in the working directory; files stay, variables do not.

        seconds: for this one, if that is less than its limit.
        """

    def read_file(self, path: str, limit: int = 1_000_000) -> bytes | None:
        """The first `limit` bytes of a file (LARGEST at most), or None if the agent could read none."""

    def write_file(self, path: str, data: bytes) -> None:
        """Write a file, with the agent's own rights and in the place of whatever is there.

        Folders on the way are made. Raises OSError when that cannot be done, say because the
        agent's files fill the disk or a folder is in the way: at scoring, the agent's failure.
        """

    def close(self) -> None:
        """End every process of the session and remove its files; safe to call twice."""


def open_sandbox(
    files: Mapping[str, bytes] | None = None,
    *,
    packages: Sequence[str] = (),
    warm: Sequence[str] = (),
    seed: int = 0,
    variables: Mapping[str, str] | None = None,
    limits: Limits | None = None,
) -> Sandbox:
    """Open a session of the chosen backend, in a new working directory.

    files: contents by relative path, LARGEST each and `disk_mb` of the limits together at most; all
        of them carry the same time.
    packages: distributions that the agent's Python can import, with what they need; `ipython` is
        needed for `run_code`. The local backend takes them from this process's own venv, so they
        must be under `packages` in env.yaml as well; nothing else of the venv can be imported.
    warm: modules among them that are imported before a session starts, which then costs nothing.
    seed: for `random` and `numpy.random` in the kernel, so that a cell repeats.
    variables: environment variables of the agent's programs, besides the usual few.

    Raises SandboxUnavailable when the backend cannot be used here, SandboxFailed when it breaks,
    ValueError for files that are too large.
    """
    environment = calling()
    name = backend(environment)
    settings = Settings(
        dict(files or {}),
        packages,
        warm,
        seed,
        dict(variables or {}),
        limits or Limits(),
        environment=environment,
    )
    _check_sizes(settings)
    return importlib.import_module(f".{name}", __name__).open_session(settings)


def _check_sizes(settings: Settings) -> None:
    sizes = {path: len(data) for path, data in settings.files.items()}
    for path, size in sizes.items():
        if size > LARGEST:
            most = f"the maximum is {LARGEST >> 20} MB"
            raise ValueError(f"the file {path} has {size:,} bytes; {most}: split it")
    if sum(sizes.values()) > settings.limits.disk_mb << 20:
        has = f"the files have {sum(sizes.values()):,} bytes together"
        raise ValueError(f"{has}; disk_mb of Limits allows {settings.limits.disk_mb} MB")


def backend(environment: Environment | None = None) -> str:
    """The backend that an environment's sessions open on; without one, the calling environment's.

    Raises SandboxUnavailable for a name there is none of, or a key unset.
    """
    environment = environment or calling()
    variable = environment.variable("BACKEND")
    name = os.environ.get(variable) or environment.backend
    if name not in SECRETS:
        there = " and ".join(SECRETS)
        raise SandboxUnavailable(f"{variable} is {name!r}; the backends are {there}")
    for secret in SECRETS[name]:
        if not os.environ.get(secret):
            other = next((found for found, needed in SECRETS.items() if not needed), None)
            instead = f", or set {variable}={other}" if other else ""
            raise SandboxUnavailable(
                f"{secret} is not set, and the backend {name} needs it{instead}"
            )
    return name
