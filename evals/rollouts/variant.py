"""A variant that is being played: its server, and the framework's client that sends requests to it."""

from __future__ import annotations

import json
import os
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from evals.episode import PlayError
from evals.rollouts import venvs
from evals.rollouts.folders import Found
from skill_tools.runtime import supervise

INSIDE = Path(__file__).parent / "inside"
SERVED = {"openenv", "ors", "nemo_gym"}
"""Frameworks whose environments are servers. Other environments run in the process that plays them."""
START_SECONDS = 300.0
"""Maximum seconds for a server or a client to start: importing some frameworks takes long."""
ANSWER_SECONDS = 120.0
"""Maximum seconds for one answer of the client: opening an episode may start a sandbox or a screen."""
PASSED = ("PATH", "LANG", "SSL_CERT_FILE", "SSL_CERT_DIR", "TMPDIR", "DISPLAY")
"""Our environment variables that a variant gets: those that every program needs, and no keys."""


class Variant:
    """A variant that answers requests; see ``Player``."""

    def __init__(self, framework: str, stream: Any, logs: list[Path]) -> None:
        self.framework = framework
        self._stream = stream
        self._logs = logs

    def ask(self, do: str, **more: Any) -> dict[str, Any]:
        """Let the client perform an action. Raise PlayError with the client's error, or with the end of the log."""
        try:
            self._stream.write(json.dumps({"do": do, **more}) + "\n")
            self._stream.flush()
            line = self._stream.readline()
        except TimeoutError as error:
            raise PlayError(f"no answer to {do} in {ANSWER_SECONDS:.0f} s") from error
        except OSError as error:
            raise PlayError(f"{do}: {error}{tails(self._logs)}") from error
        if not line:
            raise PlayError(f"{do}: the process that plays ended{tails(self._logs)}")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise PlayError(f"{do}: {answer['error']}")
        return answer


@contextmanager
def playing(found: Found, folder: Path, settings: dict[str, Any]) -> Iterator[Variant]:
    """Install a variant below ``folder``, serve it, and connect its framework's client.

    Raises PlayError if the variant cannot be installed or does not start.
    """
    folder.mkdir(parents=True, exist_ok=True)
    home = folder / "home"
    home.mkdir(exist_ok=True)
    environment = {name: os.environ[name] for name in PASSED if name in os.environ}
    environment |= {
        "HOME": str(home), "PYTHONUNBUFFERED": "1",
        "OPENREWARD_LOG_LEVEL": "WARNING", "OPENREWARD_DISABLE_UPDATE_CHECK": "1",
        "NO_PROXY": "127.0.0.1,localhost", "no_proxy": "127.0.0.1,localhost",
    }  # fmt: skip
    name = found.framework
    try:
        python = venvs.python_for(found, folder / "venv")
        driver = python if name not in SERVED else _client(name)
    except venvs.InstallError as error:
        raise PlayError(f"cannot be installed: {error}") from error
    logs = [folder / "client.log"]
    with ExitStack() as stack:
        about = {**settings, "folder": str(found.folder), "file": str(found.file)}
        if name in SERVED:
            logs.insert(0, folder / "server.log")
            command = [str(python), str(INSIDE / "serve.py"), name, str(found.file)]
            about["url"] = stack.enter_context(_served(command, found, environment, logs[0]))
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        listener.settimeout(1)
        script = INSIDE / f"drive_{name}.py"
        command = [str(driver), str(script), str(listener.getsockname()[1]), json.dumps(about)]
        process = stack.enter_context(
            supervise.process(command, cwd=found.folder, env=environment, log=logs[-1])
        )
        connection = stack.enter_context(_accepted(listener, process, logs))
        connection.settimeout(ANSWER_SECONDS)
        stream = stack.enter_context(connection.makefile("rw", encoding="utf-8"))
        yield Variant(name, stream, logs)


def _client(framework: str) -> Path:
    # Our own, whatever the variant asks for: what it installs does not reach its player.
    return venvs.shared(framework)


@contextmanager
def _served(
    command: list[str], found: Found, environment: dict[str, str], log: Path
) -> Iterator[str]:
    """Serve a variant until the ``with`` block ends. Yield the server's address."""
    ready, said = threading.Event(), []

    def listen(line: str) -> None:
        if match := re.fullmatch(r"evals: serving at (http://127\.0\.0\.1:\d+)", line):
            said.append(match[1])
            ready.set()

    with supervise.process(
        command, cwd=found.folder, env=environment, log=log, on_line=listen
    ) as process:
        waited = 0.0
        while not ready.wait(0.1):
            waited += 0.1
            if not process.running or waited > START_SECONDS:
                raise PlayError(f"its server did not start{tails([log])}")
        yield said[0]


def _accepted(
    listener: socket.socket, process: supervise.Process, logs: list[Path]
) -> socket.socket:
    for _ in range(int(START_SECONDS)):
        try:
            return listener.accept()[0]
        except TimeoutError:
            if not process.running:
                break
    raise PlayError(f"the framework's client did not start{tails(logs)}")


def tails(logs: list[Path], size: int = 1200) -> str:
    """Return the ends of logs as text for an error message."""
    texts = [(log.name, log.read_text("utf-8", "replace")) for log in logs if log.is_file()]
    return "".join(f"\n{name}: ...{text.strip()[-size:]}" for name, text in texts if text.strip())
