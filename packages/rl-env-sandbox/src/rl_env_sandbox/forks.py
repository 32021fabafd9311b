"""The fork server of this process, which starts with the first session and ends with the process.

The server's code is in `inside/`.
"""

from __future__ import annotations

import atexit
import contextlib
import dataclasses
import importlib.util
import json
import os
import shutil
import site
import socket
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import SandboxFailed, SandboxUnavailable, Settings
from .environment import Environment, calling
from .packages import importable

CONFINE = "CONFINE"
"""Suffix of the environment variable that requests one mode: namespaces, landlock or none."""

MODES = {
    "namespaces": "a separate file system, processes and network for every session",
    "landlock": "the machine's file system and processes, with access only to the session's own folder",
    "none": "only limits are enforced: for code that you trust",
}
"""The ways to confine sessions, the best first; `none` is used only on request."""

PATIENCE = 60.0
"""Seconds for a session to react, in addition to its own limits."""

STARTING = 180.0
"""Seconds for the fork server to import everything."""

_INSIDE = Path(__file__).with_name("inside")

_starting = threading.Lock()
_servers: dict[tuple[Any, ...], ForkServer] = {}


def fork_server(
    packages: tuple[str, ...],
    warm: tuple[str, ...],
    *,
    display: bool = False,
    environment: Environment | None = None,
) -> ForkServer:
    """Return this process's fork server for an environment and packages. Start the server if it does not run.

    Raises SandboxUnavailable if sessions cannot be confined, or if a package is missing.
    """
    environment = environment or calling()
    variable = environment.variable(CONFINE)
    asked = os.environ.get(variable, "")
    if asked and asked not in MODES:
        raise SandboxUnavailable(f"{variable} is {asked!r}; it must be one of {', '.join(MODES)}")
    key = (asked, packages, warm, display, environment)
    with _starting:
        server = _servers.get(key)
        if server is None or not server.alive():
            if server:
                server.end()
            modes = [asked] if asked else list(MODES)[:2]
            server = _servers[key] = _start(modes, packages, warm, display, environment)
        return server


class ForkServer:
    """The process that forks sessions. It ends when the process that started it ends."""

    def __init__(
        self,
        mode: str,
        packages: Mapping[str, str],
        warm: tuple[str, ...],
        display: bool,
        environment: Environment,
    ) -> None:
        """Start the server process. Raise SandboxUnavailable if it cannot confine sessions in this mode."""
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._sessions: weakref.WeakSet[socket.socket] = weakref.WeakSet()
        # If sessions have their own file system, nothing is written to this one.
        self._folder = "" if mode == "namespaces" else tempfile.mkdtemp(prefix="sandbox-")
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the process
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        settings = {
            "mode": mode,
            "python": sys.base_prefix,
            "packages": packages,
            "warm": warm,
            "display": display,
            "masked": self._masked(environment),
            "folder": self._folder and os.path.realpath(self._folder),
        }
        _compile(packages, warm)
        python = getattr(sys, "_base_executable", None) or sys.executable
        with theirs:
            self._process = subprocess.Popen(
                [python, "-I", "-S", "-B", _INSIDE.name],
                cwd=_INSIDE.parent,
                stdin=theirs,
                stdout=subprocess.DEVNULL,
                stderr=self._log,
                env=self._variables(),
                start_new_session=True,  # Ctrl-C is for this process, which then ends the server
            )
        self._control.settimeout(STARTING)
        try:
            self._control.send(json.dumps(settings).encode())
            answer = json.loads(self._control.recv(1 << 20) or b"{}")
        except TimeoutError:
            answer = {"failure": f"no reply within {STARTING:g} s"}
        except OSError as error:
            answer = {"failure": f"{error}; {self.log()}"}
        if "ready" not in answer:
            self.end()
            raise SandboxUnavailable(answer.get("failure") or self.log() or "it ended immediately")
        self.enforced: dict[str, Any] = answer["ready"]

    def fork(self, settings: Settings) -> socket.socket:
        """Fork a new session, and return its socket."""
        request = {
            "limits": dataclasses.asdict(settings.limits),
            "seed": settings.seed,
            "display": settings.display,
            "variables": dict(settings.variables),
        }
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                with self._lock:
                    socket.send_fds(
                        self._control, [json.dumps(request).encode()], [theirs.fileno()]
                    )
            except OSError as error:
                ours.close()
                raise SandboxFailed(f"the fork server ended\n{self.log()}") from error
        ours.settimeout(PATIENCE)
        self._sessions.add(ours)
        return ours

    def alive(self) -> bool:
        """Return whether the server runs, and belongs to this process rather than to the parent of a fork."""
        return self._owner == os.getpid() and self._process.poll() is None

    def log(self) -> str:
        """Return the end of the server's output."""
        return os.pread(self._log.fileno(), 1 << 20, 0).decode("utf-8", "replace")[-2000:].strip()

    def end(self) -> None:
        """End the server and its sessions; do nothing in a fork of the owner."""
        if self._owner != os.getpid():
            return
        self._control.close()
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)

    def leave(self) -> None:
        """In a fork of the owner, close all connections to the server; otherwise the server would outlive the owner."""
        for each in (self._control, *self._sessions):
            each.close()

    def _masked(self, environment: Environment) -> list[str]:
        """Return the paths that sessions must not read although they are inside readable folders."""
        own = [sys.prefix] if sys.prefix != sys.base_prefix else []
        folders = [*site.getsitepackages([sys.base_prefix]), *own, "/usr/src"]
        folders += [*environment.folders, str(_INSIDE.parent)]
        system = ["/usr/local/lib/python3/dist-packages", "/usr/lib/python3/dist-packages"]
        needed = [
            Path(path) for path in (os.path.realpath(sys.base_prefix), "/usr/bin", "/usr/lib")
        ]
        needed.append(Path(os.__file__).resolve().parent)
        beside = [Path(folder).resolve().parent for folder in environment.folders]
        for around in (Path(os.path.realpath(".")), *beside, _INSIDE.parent.resolve().parent):
            if not any(path.is_relative_to(around) for path in needed):
                folders.append(str(around))
        return sorted({os.path.realpath(path) for path in (*folders, *system)})

    def _variables(self) -> dict[str, str]:
        """Return the variables that sessions inherit, without keys or tokens of this process."""
        own = self._folder or "/tmp"  # files that are written during the imports
        threads = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
        return {
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "USER": "user",
            "LOGNAME": "user",
            "MPLBACKEND": "module://matplotlib_inline.backend_inline",
            **dict.fromkeys(("HOME", "IPYTHONDIR", "MPLCONFIGDIR"), own),
            "PYTHONHASHSEED": "0",  # sets of text print in the same order in every session
            "PYTHONDONTWRITEBYTECODE": "1",
            **dict.fromkeys(threads, "1"),
        }


def _start(
    modes: list[str],
    packages: tuple[str, ...],
    warm: tuple[str, ...],
    display: bool,
    environment: Environment,
) -> ForkServer:
    reasons = []
    files = importable(packages)
    for mode in modes:
        try:
            if display and mode == "landlock":
                # Landlock cannot restrict the sockets through which programs reach an X server.
                raise SandboxUnavailable("this machine cannot keep the screens of sessions apart")
            return ForkServer(mode, files, warm, display, environment)
        except SandboxUnavailable as error:
            reasons.append(f"{mode}: {error}")
    tried = "\n    ".join(reasons)
    raise SandboxUnavailable(
        f"this machine cannot confine an agent's programs:\n    {tried}\n"
        "    fix: allow user namespaces or Landlock (Linux 5.13); or, in a disposable container "
        f"or machine, set {environment.variable(CONFINE)}=none"
    )


def _compile(packages: Mapping[str, str], warm: tuple[str, ...]) -> None:
    """Import the warm modules once in a process that can store their compiled files, which uv does not create.

    Later starts are then fast.
    """
    modules = [Path(path, "__init__.py") for name, path in packages.items() if name in _tops(warm)]
    compiled = [Path(importlib.util.cache_from_source(str(module))) for module in modules]
    if not all(file.exists() for file in compiled):
        variables = {"PATH": os.environ.get("PATH", ""), "HOME": tempfile.gettempdir()}
        command = [sys.executable, "-I", "-c", f"import {', '.join(warm)}"]
        with contextlib.suppress(subprocess.SubprocessError):
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            subprocess.run(command, env=variables, timeout=STARTING, check=False, **quiet)


def _tops(modules: tuple[str, ...]) -> set[str]:
    return {name.partition(".")[0] for name in modules}


def _leave_all() -> None:
    global _starting
    _starting = threading.Lock()  # another thread may have held it
    for server in _servers.values():
        server.leave()
    _servers.clear()


os.register_at_fork(after_in_child=_leave_all)


@atexit.register
def _end_all() -> None:
    for server in _servers.values():
        server.end()
    _servers.clear()
