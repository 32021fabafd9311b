"""The local backend: sessions on this machine, forked from a warm process and confined by Linux.

This process never runs an agent's code. It has one fork server (`inside/`), which has imported
everything that sessions need and forks a session in milliseconds. The session's keeper runs cells and
commands within limits, and ends when this process ends.

`python -m rl_env_sandbox` reports what this machine enforces.
"""

from __future__ import annotations

import base64
import contextlib
import errno
import os
import re
import socket
from typing import Any

from .. import HOME, LARGEST, CellResult, CommandResult, SandboxFailed, Settings, at_most
from ..forks import PATIENCE, fork_server
from ..inside import frames

_PACKAGES = "/opt/packages"


def open_session(settings: Settings) -> LocalSandbox:
    """Open a session. Raise SandboxUnavailable if this machine cannot confine a session."""
    return LocalSandbox(settings)


class LocalSandbox:
    """A session on this machine; see `Sandbox` for its methods."""

    def __init__(self, settings: Settings) -> None:
        self.restarts = 0
        self._settings = settings
        self._closed = False
        self._open()

    def run_code(self, code: str, seconds: float | None = None) -> CellResult:
        """Run a cell."""
        most = at_most(self._settings.limits.cell_seconds, seconds)
        # A lone surrogate cannot be encoded.
        code = self._called(code.encode("utf-8", "replace").decode())
        answer = self._ask({"do": "cell", "code": code, "seconds": most}, most)
        if "lost" in answer:
            return CellResult((), None, "lost", answer["lost"])
        outputs = [self._cleaned(output) for output in answer["outputs"]]
        number, status = answer["execution_count"], answer["status"]
        return CellResult(outputs, number, status, self._shown(answer["note"]))

    def run_command(self, command: str, seconds: float | None = None) -> CommandResult:
        """Run a command."""
        most = at_most(self._settings.limits.command_seconds, seconds)
        answer = self._ask(
            {"do": "command", "command": self._called(command), "seconds": most}, most
        )
        if "lost" in answer:
            return CommandResult("", None, answer["lost"])
        output = self._shown(answer["output"])
        return CommandResult(output, answer["exit_code"], self._shown(answer["note"]))

    def read_file(self, path: str, limit: int = 1_000_000) -> bytes | None:
        """Read the beginning of a file."""
        request = {"do": "read", "path": self._called(path), "limit": min(limit, LARGEST)}
        found = self._ask(request).get("data")
        return None if found is None else base64.b64decode(found)

    def write_file(self, path: str, data: bytes) -> None:
        """Write a file."""
        if len(data) > LARGEST:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), path)
        request = {"do": "write", "path": self._called(path), "data": frames.encoded(data)}
        answer = self._ask(request)
        if "failure" in answer:
            raise OSError(answer["errno"], answer["failure"], path)
        if "lost" in answer:
            raise OSError(errno.EIO, answer["lost"], path)

    def close(self) -> None:
        """End the session."""
        self._closed = True
        with contextlib.suppress(OSError, frames.Broken):
            self._stream.shutdown(socket.SHUT_WR)
            self._stream.settimeout(PATIENCE)
            while True:  # until the keeper has ended everything, including itself
                frames.receive(self._stream)
        self._stream.close()

    def _open(self) -> None:
        settings = self._settings
        display = settings.display is not None
        server = fork_server(
            tuple(settings.packages),
            tuple(settings.warm),
            display=display,
            environment=settings.environment,
        )
        self._server = server
        self._stream = server.fork(self._settings)
        try:
            with contextlib.suppress(ConnectionError):  # it has reported the reason then
                for path, data in self._settings.files.items():
                    frames.send(self._stream, {"path": path, "data": frames.encoded(data)})
                frames.send(self._stream, {})
            ready = frames.receive(self._stream)
        except (frames.Broken, OSError) as error:
            self._stream.close()
            raise SandboxFailed(f"a session did not start: {error}\n{server.log()}") from error
        if "failure" in ready:
            self._stream.close()
            raise SandboxFailed(f"a session did not start: {ready['failure']}")
        # Without a file system of their own, sessions have other folder names.
        named = (("home", HOME), ("temporary", "/tmp"), ("packages", _PACKAGES))
        named += (("programs", "/opt/bin"), ("user", "user"))
        places = [(ready[what], shown) for what, shown in named if what in ready]
        self._places = [(there, shown) for there, shown in places if there != shown]

    def _ask(self, request: dict[str, Any], seconds: float = 0.0) -> dict[str, Any]:
        """Send a request to the session's keeper, and return the answer.

        Return {"lost": why} if the session was gone and a new session has replaced it.
        """
        if self._closed:
            raise SandboxFailed("the sandbox is closed")
        if not self._server.alive():
            raise SandboxFailed(f"the fork server ended\n{self._server.log()}")
        try:
            self._stream.settimeout(seconds + PATIENCE)
            frames.send(self._stream, request)
            answer = frames.receive(self._stream)
        except (frames.Broken, OSError) as error:
            if self._closed:
                raise SandboxFailed("the sandbox was closed meanwhile") from None
            return {"lost": self._start_again(error)}
        except BaseException:  # an interrupt: discard the answer that comes
            self._stream.close()
            raise
        if "failure" in answer and request["do"] in ("cell", "command"):
            raise SandboxFailed(answer["failure"])
        return answer

    def _start_again(self, error: Exception) -> str:
        """Replace a lost session, and return a note. Raise SandboxFailed if the fork server has ended too."""
        self._stream.close()
        if not self._server.alive():
            raise SandboxFailed(f"the fork server ended\n{self._server.log()}") from error
        self._open()
        self.restarts += 1
        return "the session broke; a new one takes its place, without its variables and new files"

    def _called(self, text: str) -> str:
        """Return the agent's text with real paths in place of the paths that the agent sees."""
        called = {shown: there for there, shown in self._places if shown.startswith("/")}
        if not called:
            return text
        names = "|".join(called)
        return re.sub(rf"(?<![\w./-])(?:{names})(?![\w-])", lambda name: called[name[0]], text)

    def _shown(self, text: Any) -> str:
        text = str(text)
        for there, shown in self._places:
            text = text.replace(there, shown)
        return text

    def _cleaned(self, output: Any) -> dict[str, Any]:
        """Return an output in notebook format, even if the agent's code has changed the kernel."""
        output = output if isinstance(output, dict) else {}
        kind = output.get("output_type")
        if kind == "stream":
            name = "stderr" if output.get("name") == "stderr" else "stdout"
            return {"output_type": kind, "name": name, "text": self._shown(output.get("text"))}
        if kind == "error":
            lines = output.get("traceback")
            named = [self._shown(line) for line in lines] if isinstance(lines, list) else []
            parts = {part: self._shown(output.get(part, "")) for part in ("ename", "evalue")}
            return {"output_type": kind, **parts, "traceback": named}
        data = output.get("data")
        shown = {str(k): self._shown(v) for k, v in data.items()} if isinstance(data, dict) else {}
        if kind == "execute_result":
            count = output.get("execution_count")
            return {"output_type": kind, "execution_count": count, "data": shown, "metadata": {}}
        return {"output_type": "display_data", "data": shown, "metadata": {}}
