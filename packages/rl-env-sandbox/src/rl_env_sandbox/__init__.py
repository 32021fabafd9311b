"""Sandboxes, in which an episode's programs run isolated from this process and from other episodes.

The domain opens one sandbox per episode and closes it in its own `close()`:

    self._sandbox = open_sandbox(files={"data.csv": b"..."}, packages=["ipython", "pandas"])
    result = self._sandbox.run_code("import pandas; pandas.read_csv('data.csv')")

A backend is a module with `open_session(settings)`. The environment variable <NAME>_BACKEND, with the
environment's name in capitals, selects the backend; if the variable is not set, env.yaml selects it.
`environment.py` determines the environment. For code outside any environment, the variable is
SANDBOX_BACKEND, and the default is `local`.

- `local`: IPython kernels and bash commands run as processes on this machine. One warm process
  forks all of them, so that a session starts in milliseconds and many run at once.
- `e2b`: every episode gets its own virtual machine at E2B (https://e2b.dev), which starts and ends with
  the episode. This backend needs E2B_API_KEY and e2b-code-interpreter>=2.11,<3.
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
"""The backends, and the environment variables that each requires."""

LARGEST = 32 * 1024 * 1024
"""Maximum bytes of one file to read or write at once."""

HOME = "/home/user"
"""Working directory of a session, with its files. A backend whose folder has another name shows it under this name."""


class SandboxFailed(RuntimeError):
    """Raised because the infrastructure broke. This is never the agent's fault, so the episode has no score."""


@dataclass(frozen=True)
class Limits:
    """The limits of one session. Seconds are wall-clock time unless stated otherwise."""

    cell_seconds: float = 30.0
    """Seconds after which a cell is interrupted, with its variables kept; if it continues, its kernel is killed."""
    command_seconds: float = 30.0
    """Seconds after which a shell command is killed."""
    memory_mb: int = 1024
    """Maximum memory for all processes of a session together."""
    disk_mb: int = 256
    """Maximum disk space for all files of a session together."""
    processes: int = 64
    """Maximum processes and threads of a session at any time."""
    cpu_seconds: int = 600
    """Maximum CPU time of any one process."""
    output_mb: int = 8
    """Maximum output of one cell or command, which is stopped beyond that."""
    sandbox_seconds: int = 3600
    """Maximum lifetime of an abandoned cloud sandbox."""


def at_most(limit: float, seconds: float | None) -> float:
    """Return a call's time limit in seconds, which is at most the session's limit.

    Raises ValueError for an invalid number.
    """
    if seconds is not None and not seconds > 0:
        raise ValueError(f"seconds is {seconds!r}; it must be more than 0")
    return limit if seconds is None else min(seconds, limit)


@dataclass(frozen=True)
class Settings:
    """The settings of a session; see `open_sandbox`."""

    files: Mapping[str, bytes] = field(default_factory=dict)
    packages: Sequence[str] = ()
    warm: Sequence[str] = ()
    seed: int = 0
    variables: Mapping[str, str] = field(default_factory=dict)
    limits: Limits = Limits()
    display: tuple[int, int] | None = None
    """Width and height of the session's screen in pixels; None without a screen."""
    environment: Environment = field(default_factory=calling)
    """The environment that opens the session."""


@dataclass(frozen=True)
class CellResult:
    """The result of running a cell.

    Attributes:
        outputs: The outputs as in a notebook file (nbformat 4): stream, display_data, execute_result and error.
        execution_count: The number in `In [n]`; None if the code never ran.
        status: `ok`; `error` if the cell raised an exception or was stopped, which keeps the variables; or `lost`
            if the kernel died or was killed. After `lost` there is a new kernel, with the files but without the
            variables.
        note: The reason why the cell was stopped or lost, for the agent to read; "" otherwise.
    """

    outputs: Sequence[Mapping[str, Any]]
    execution_count: int | None
    status: Literal["ok", "error", "lost"]
    note: str = ""


@dataclass(frozen=True)
class CommandResult:
    """The output of a shell command (stdout and stderr combined), and how the command ended.

    Attributes:
        exit_code: The exit code, or None if the command was stopped. In that case `note` gives the reason.
    """

    output: str
    exit_code: int | None
    note: str = ""


class Sandbox(Protocol):
    """One episode's session. Its methods block, but no code from an agent can make them raise an exception.

    The agent's errors are in the results. SandboxFailed means that the infrastructure broke.
    """

    restarts: int
    """How often the agent broke the session itself, so that it restarted with only its first files.

    Scoring then does not see the agent's files.
    """

    def run_code(self, code: str, seconds: float | None = None) -> CellResult:
        """Run a cell in the session's IPython kernel, which keeps its variables between cells.

        Args:
            seconds: The time limit for this cell, if it is below the session's limit.
        """

    def run_command(self, command: str, seconds: float | None = None) -> CommandResult:
        """Run a command in a new bash in the working directory. Files persist between commands, but variables do not.

        Args:
            seconds: The time limit for this command, if it is below the session's limit.
        """

    def read_file(self, path: str, limit: int = 1_000_000) -> bytes | None:
        """Return the first `limit` bytes of a file (at most LARGEST), or None if the agent could
        not read it."""

    def write_file(self, path: str, data: bytes) -> None:
        """Write a file with the agent's own rights, replacing an existing file.

        Creates parent folders. Raises OSError if the file cannot be written, for example because the agent's files
        fill the disk or a folder has the same name. During scoring, such an error counts as the agent's failure.
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
    """Open a session of the selected backend, in a new working directory.

    Raises SandboxUnavailable if the backend cannot be used here, SandboxFailed if it fails, and ValueError for
    files that are too large.

    Args:
        files: Contents keyed by relative path, with at most LARGEST bytes per file and `disk_mb` of the limits in
            total. All files get the same modification time.
        packages: Distributions that the agent's Python can import, with their dependencies. `run_code` needs
            `ipython`. The local backend takes the distributions from this process's own venv, so env.yaml must
            also list them under `packages`. Nothing else in the venv can be imported.
        warm: Modules of these packages that are imported before a session starts, so that importing them costs
            nothing.
        seed: The seed for `random` and `numpy.random` in the kernel, so that a cell is repeatable.
        variables: Additional environment variables of the agent's programs.
        limits: The limits of the session.
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
    """Return the backend for an environment's sessions. The default environment is the calling environment.

    Raises SandboxUnavailable for the unknown name of a backend, or if the backend's key is missing.
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
