"""A session of the backend `e2b`: cells, commands and files in one cloud sandbox.

E2B's client has no call to interrupt a cell, so a command sends a signal to the kernel's process.
The exceptions of E2B's client have no common base (its own errors, httpx's, connectrpc's), so all
of them are caught.
"""

from __future__ import annotations

import base64
import contextlib
import errno
import json
import os
import posixpath
import shlex
import time
import weakref
from typing import Any

from .. import HOME, CellResult, CommandResult, SandboxFailed, SandboxUnavailable, Settings, at_most
from .client import end, path_of, said, sendable
from .kernel import PROBE, Cell, Watch, set_up_code
from .shell import NOWHERE, Command, kill_group

MEGABYTE = 1024 * 1024
CLOCK = 1_704_067_200
"""2024-01-01: the time of a session's first files, so that listings are equal."""
GRACE = 3.0
"""Seconds that an interrupted cell has to stop before its kernel is killed."""
PROBE_SECONDS = 8.0
"""Seconds in which a kernel must respond after its cell's connection was given up: E2B's server checks every 5 s for
listeners, and accepts no other cell before that.
"""
REQUEST_SECONDS = 30.0
RESTART_SECONDS = 45.0
"""Seconds in which a new kernel must run; E2B's server may have to restart as well."""


class E2BSession:
    """A session in the cloud; see `Sandbox`."""

    restarts = 0  # a broken machine is not replaced

    def __init__(self, cloud: Any, settings: Settings) -> None:
        """Use a newly created sandbox, and end it with the session."""
        self._cloud = cloud
        self._settings = settings
        self._limits = settings.limits
        self._most = settings.limits.output_mb * MEGABYTE
        self._context: Any = None
        self._kernel = 0
        self._user: str | None = None
        self._count = 0
        seconds = self._limits.sandbox_seconds
        self._end = weakref.finalize(self, end, cloud, os.getpid(), seconds)

    def prepare(self) -> None:
        """Start the kernel, and upload the files."""
        try:
            self._context = self._cloud.create_code_context(cwd=HOME)
            missing = self._set_up()
            self._upload()
        except Exception as error:  # noqa: BLE001 - no common base
            raise self._failed(error, "cannot be made ready") from None
        if missing:
            raise SandboxUnavailable(
                f"E2B's template lacks {', '.join(missing)}: build one that has them (templates, in "
                "https://e2b.dev/docs) and name it in E2B_TEMPLATE, or use the backend local"
            )

    def _upload(self) -> None:
        """Upload the session's first files."""
        files = self._settings.files
        entries = [{"path": path_of(name), "data": data} for name, data in files.items()]
        if entries:
            self._cloud.files.write_files(entries, user=self._user)
        paths = {HOME}
        for path in (entry["path"] for entry in entries):
            while path not in paths:
                paths.add(path)
                path = posixpath.dirname(path)
        self._run(f"touch -d @{CLOCK} -- {shlex.join(sorted(paths, reverse=True))}")

    def run_code(self, code: str, seconds: float | None = None) -> CellResult:
        """Run a cell in the session's IPython kernel; see `Sandbox`."""
        self._check_open()
        cell = Cell(self._most, GRACE, self._interrupt)
        seconds = at_most(self._limits.cell_seconds, seconds)
        watch = Watch(cell, seconds, GRACE)
        try:
            done = self._cloud.run_code(
                sendable(code),
                context=self._context,
                timeout=seconds + GRACE + 1,
                on_stdout=lambda message: cell.add_text("stdout", message.line),
                on_stderr=lambda message: cell.add_text("stderr", message.line),
                on_result=cell.add_result,
                on_error=cell.add_error,
            )
            count = done.execution_count
        except Exception as error:  # noqa: BLE001 - no common base
            watch.end()
            return self._given_up(cell, error)
        finally:
            watch.end()  # its interrupts must not hit the next cell
        if cell.broken:
            return self._lost(cell, "its kernel died")
        return self._kept(cell, count)

    def _kept(self, cell: Cell, count: int | None) -> CellResult:
        """Return the result of a cell after which the kernel still has its variables."""
        self._count = self._count if count is None else count
        cell.number(count)
        status = "error" if cell.reason or cell.failed else "ok"
        note = f"{cell.reason}; its variables are kept" if cell.reason else ""
        return CellResult(cell.outputs, count, status, note)

    def _lost(self, cell: Cell, why: str) -> CellResult:
        """Start a new kernel. Return the result of a cell that ended the old kernel."""
        self._restart()
        note = f"{why}; its variables are lost, and a new kernel takes its place"
        return CellResult(cell.outputs, None, "lost", note)

    def _given_up(self, cell: Cell, error: Exception) -> CellResult:
        """Return the result of a cell whose end was not observed."""
        if not cell.reason:
            if self._has_context():
                raise self._failed(error, "broke off in the middle of a cell") from None
            return self._lost(cell, "its kernel died")
        if (cell.flooded or not cell.interrupted) and self._answers():
            cell.add_interrupt()
            return self._kept(cell, self._count + 1)
        return self._lost(cell, f"{cell.reason}, and was still running {GRACE:g} s later")

    def _interrupt(self) -> bool:
        """Interrupt the running cell with a signal, because E2B's client cannot interrupt a cell. Return whether the
        signal was sent.
        """
        try:
            self._run(kill_group(self._kernel, "INT"), seconds=5)
        except Exception:  # noqa: BLE001 - no common base
            return False
        return True

    def _answers(self) -> bool:
        """Return whether the kernel can run a cell."""
        until = time.monotonic() + PROBE_SECONDS
        while (left := until - time.monotonic()) > 0:
            try:
                done = self._cloud.run_code(PROBE, context=self._context, timeout=left)
            except Exception:  # noqa: BLE001 - no common base
                return False
            if done.error is None:
                return True
            time.sleep(0.1)  # a late interrupt hit the probe
        return False

    def _has_context(self) -> bool:
        """Return whether E2B's server still knows the kernel, so that neither the server nor the kernel has died."""
        until = time.monotonic() + RESTART_SECONDS
        while self._running() and time.monotonic() < until:
            try:
                known = self._cloud.list_code_contexts()
            except Exception:  # noqa: BLE001 - no common base
                time.sleep(1)
            else:
                return self._context.id in [context.id for context in known]
        return True

    def _restart(self) -> None:
        """Replace the kernel with a new kernel."""
        until = time.monotonic() + RESTART_SECONDS
        again = True
        while True:
            try:
                if again:
                    self._cloud.restart_code_context(self._context)
                else:
                    self._context = self._cloud.create_code_context(cwd=HOME)
                self._set_up()
                return
            except Exception as error:  # noqa: BLE001 - no common base
                again = False
                if time.monotonic() > until or not self._running():
                    raise self._failed(error, "cannot start a new kernel") from None
                time.sleep(1)

    def _set_up(self) -> list[str]:
        """Run the first cell of a kernel. Return the names of the missing packages."""
        settings = self._settings
        code = set_up_code(settings.seed, settings.variables, settings.packages)
        done = self._cloud.run_code(code, context=self._context, timeout=REQUEST_SECONDS)
        if done.error:
            raise RuntimeError(f"{done.error.name}: {done.error.value}")
        facts = json.loads("".join(done.logs.stdout).splitlines()[-1])
        self._kernel, self._user = facts["pid"], facts["user"]
        return facts["missing"]

    def run_command(self, command: str, seconds: float | None = None) -> CommandResult:
        """Run a command in a new bash; see `Sandbox`."""
        self._check_open()
        from e2b import InvalidArgumentException, TimeoutException

        if "\0" in command:
            return CommandResult("bash cannot be started: embedded null byte\n", 127)
        seconds = at_most(self._limits.command_seconds, seconds)
        run = Command(sendable(command), seconds, self._most)
        variables = {**self._settings.variables, **NOWHERE}
        options = {"cwd": HOME, "user": self._user, "envs": variables}
        started = time.monotonic()
        try:
            shell = self._cloud.commands.run(
                run.script, background=True, timeout=seconds + GRACE, **options
            )
            for printed, _, _ in shell:
                if printed and run.take(printed, self._kill):
                    shell.disconnect()
                    break
        except InvalidArgumentException as error:
            return CommandResult(f"bash cannot be started: {said(error)}\n", 127)
        except Exception as error:  # noqa: BLE001 - no common base
            # Late, but alive: the agent is responsible for the command's effects on the machine.
            if not isinstance(error, TimeoutException) or not self._running():
                raise self._failed(error, "broke off in the middle of a command") from None
        if run.flooded:
            note = f"stopped after printing {self._limits.output_mb} MB"
            return CommandResult(run.output, None, note)
        code = 137 if run.code is None else run.code
        if code == 137 and time.monotonic() - started >= seconds:
            return CommandResult(run.output, None, f"stopped after {seconds:g} s")
        return CommandResult(run.output, code)

    def read_file(self, path: str, limit: int = 1_000_000) -> bytes | None:
        """Return the first bytes of a file; see `Sandbox`."""
        self._check_open()
        from e2b import CommandExitException, InvalidArgumentException, TimeoutException

        file = shlex.quote(path_of(path))
        # Not the files API, which would wait forever for data in a pipe.
        script = f"set -o pipefail; test -f {file} && head -c {limit:d} -- {file} | base64"
        try:
            return base64.b64decode(self._run(script).stdout) if "\0" not in path else None
        except (CommandExitException, InvalidArgumentException):
            return None
        except Exception as error:  # noqa: BLE001 - no common base
            if isinstance(error, TimeoutException) and self._running():
                return None
            raise self._failed(error, "cannot read a file") from None

    def write_file(self, path: str, data: bytes) -> None:
        """Write a file; see `Sandbox`."""
        self._check_open()
        try:
            options = {"user": self._user, "request_timeout": REQUEST_SECONDS}
            self._cloud.files.write(path_of(path), data, **options)
        except Exception as error:  # noqa: BLE001 - no common base
            if not self._running():
                raise self._failed(error, "cannot write a file") from None
            raise OSError(errno.EIO, f"cannot be written: {said(error)}", path) from None

    def close(self) -> None:
        """End the sandbox; see `Sandbox`."""
        self._end()

    def _run(self, script: str, seconds: float = REQUEST_SECONDS) -> Any:
        """Run one of this package's scripts. Errors are raised as the exceptions of E2B's client."""
        options = {"cwd": "/", "user": self._user, "envs": NOWHERE}
        return self._cloud.commands.run(script, timeout=seconds, **options)

    def _kill(self, leader: int) -> None:
        with contextlib.suppress(Exception):  # the command's time ends soon anyway
            self._run(kill_group(leader, "KILL"), seconds=5)

    def _check_open(self) -> None:
        if not self._end.alive:
            raise SandboxFailed("the session is closed")

    def _running(self) -> bool:
        try:
            return self._cloud.is_running(request_timeout=10)
        except Exception:  # noqa: BLE001 - no common base
            return False

    def _failed(self, error: Exception, what: str) -> RuntimeError:
        """Return the exception to raise for an error from E2B."""
        name = f"the E2B sandbox {self._cloud.sandbox_id}"
        if not self._running():
            seconds = self._limits.sandbox_seconds
            return SandboxFailed(
                f"{name} {what}, because the sandbox is gone or unreachable; it lives at most {seconds} s "
                f"(sandbox_seconds of Limits): {said(error)}"
            )
        return SandboxFailed(f"{name} {what}: {said(error)}")
