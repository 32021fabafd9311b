"""Play the original environment in a process and a venv of its own. `skill-tools import` wrote this.

All episodes of this process share one process of the original, in which each has its own session; if the original has
room for few sessions, there are several. They start when they are needed, and end when this process does.
"""

import base64
import contextlib
import fcntl
import hashlib
import itertools
import json
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
STARTING = 300.0
"""Seconds for importing the original and its framework, and for an episode to wait until others are open."""
MOST_BYTES = 64 << 20
"""Bytes of one reply, beyond which the original is taken for broken."""
KEPT_OF_LOG = 2_000
"""Characters of the original's output that an error shows."""
SERIAL = itertools.count(1)


class OriginalFailed(RuntimeError):
    """The original broke, did not answer in time, or does not start; the episode has no score."""


class Refused(Exception):
    """The original refused the action, in its own words."""


class Original:
    """One episode of the original: its opening, and what each action brings."""

    def __init__(self, place: dict[str, Any], seed: int) -> None:
        """Open a session. place: Split and index of the task, where the original has them."""
        self._host = host()
        self._closed = False
        self._session = next(SERIAL)
        where = {"split": place.get("split"), "index": place.get("index"), "seed": seed}
        opened = self._host.ask("open", STARTING, session=self._session, script=where)
        self.prompt: list[dict[str, Any]] = opened["prompt"]
        self.tools: list[dict[str, Any]] = opened["tools"]
        self.takes_messages: bool = opened["takes_messages"]

    def opening(self, system: str) -> list[str | bytes]:
        """Return the opening as texts and pictures, without the system prompt that env.yaml has."""
        shown: list[str | bytes] = []
        for message in self.prompt:
            role, content = message.get("role"), message.get("content")
            if role == "system" and content == system:
                continue
            blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
            parts = shown_of(blocks)
            if role != "user" and parts and isinstance(parts[0], str):
                parts[0] = f"[{role}] {parts[0]}"
            shown += parts
        return shown or [""]

    def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Play an action; return `observation` (blocks), `reward` and `done`. Raises Refused."""
        return self._answer("call", tool=tool, arguments=arguments)

    def end(self) -> float:
        """Report to the original that the model stopped; return the reward for that."""
        answer = self._host.ask("end", session=self._session)
        # One that refuses the empty last message has nothing more to give.
        return float(answer.get("reward", 0.0))

    def close(self) -> None:
        """Free the session; safe to call twice."""
        if self._closed:
            return
        self._closed = True
        with contextlib.suppress(OriginalFailed):
            self._host.ask("close", session=self._session)
        self._host.sessions -= 1

    def _answer(self, do: str, **more: Any) -> dict[str, Any]:
        answer = self._host.ask(do, session=self._session, **more)
        if answer.get("error"):
            raise Refused("\n".join(part.get("text", "") for part in answer["observation"]))
        return answer


def shown_of(blocks: list[dict[str, Any]]) -> list[str | bytes]:
    """Return an observation of the original as texts and pictures, as a tool returns them."""
    return [
        base64.b64decode(each["data"]) if each["type"] == "image" else str(each.get("text") or "")
        for each in blocks
    ]


def left_out(**arguments: Any) -> dict[str, Any]:
    """Return optional arguments without those that are None, which the model left out."""
    return {name: value for name, value in arguments.items() if value is not None}


class Host:
    """The process in which the original runs."""

    def __init__(self) -> None:
        """Start it, and create its venv if necessary."""
        self.owner, self.sessions = os.getpid(), 0
        self._facts = json.loads((HERE / "original.json").read_text("utf-8"))
        self._numbers, self._lock = itertools.count(1), threading.Lock()
        self._waiting: dict[int, tuple[threading.Event, dict[str, Any]]] = {}
        self._scratch = Path(tempfile.mkdtemp(prefix="original-"))
        self._ended = ""
        ours, theirs = socket.socketpair()
        self._socket = ours
        with theirs, (self._scratch / "log").open("wb") as log:
            self._child = subprocess.Popen(
                self._command(theirs.fileno()),
                cwd=self._scratch,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        threading.Thread(target=self._read, daemon=True).start()
        try:
            self.ask("ready", seconds=STARTING)
        except OriginalFailed:
            self.kill()
            raise

    @property
    def usable(self) -> bool:
        """Whether this process can use it: a fork must start its own."""
        return self.owner == os.getpid() and not self._ended and self._child.poll() is None

    def ask(self, do: str, seconds: float | None = None, **more: Any) -> dict[str, Any]:
        """Return the reply to a request. Raises OriginalFailed."""
        limit = seconds or 2 * self._facts["request"]["call_seconds"]
        number, answered = next(self._numbers), threading.Event()
        reply: dict[str, Any] = {}
        self._waiting[number] = (answered, reply)
        line = json.dumps({"id": number, "do": do, **more}).encode() + b"\n"
        try:
            with self._lock:
                self._socket.sendall(line)
        except OSError:
            self._ended = self._ended or "the process of the original ended"
        if not self._ended and not answered.wait(limit) and not self._ended:
            self.kill()
            self._ended = f"no reply to {do!r} after {limit:g} seconds"
        self._waiting.pop(number, None)
        if "failed" in reply:
            raise OriginalFailed(reply["failed"])
        if not reply:
            raise OriginalFailed(f"{self._ended}\n{self._log()}".strip())
        return reply

    def kill(self) -> None:
        """End the process, and remove its scratch folder."""
        if self._child.poll() is None:
            self._child.kill()
        self._child.wait()

    def _read(self) -> None:
        """Hand each reply to the thread that waits for it, until the process ends."""
        read = b""
        while True:
            try:
                data = self._socket.recv(1 << 16)
            except OSError:
                data = b""
            read += data
            *lines, read = read.split(b"\n")
            for line in lines:
                reply = json.loads(line)
                if waiting := self._waiting.get(reply["id"]):
                    waiting[1].update(reply)
                    waiting[0].set()
            if not data or len(read) > MOST_BYTES:
                break
        self._ended = self._ended or "the process of the original ended"
        for answered, _ in list(self._waiting.values()):
            answered.set()

    def _command(self, number: int) -> list[str]:
        """Return the command line; write its request to the scratch folder."""
        request = {**self._facts["request"], "do": "live", "socket": number}
        for field in ("folder", "tasks"):
            request[field] = str(HERE / request[field]) if request[field] else request[field]
        request["scratch"] = str(self._scratch)
        file = self._scratch / "request.json"
        file.write_text(json.dumps(request), "utf-8")
        driver = HERE / "host" / "driver.py"
        return [_python(self._facts), "-P", str(driver), str(file), str(self._scratch / "lines")]

    def _environment(self) -> dict[str, str]:
        paths = [str(HERE / "host"), *(str(HERE / each) for each in self._facts["paths"])]
        return {
            **os.environ,
            **self._facts["environment"],
            "PYTHONPATH": os.pathsep.join(paths),
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def _log(self) -> str:
        with contextlib.suppress(OSError):
            return (self._scratch / "log").read_text("utf-8", "replace")[-KEPT_OF_LOG:]
        return ""


_hosts: list[Host] = []
_starting = threading.Lock()


def host() -> Host:
    """Return a process of the original, and start it if necessary: one for all sessions that it has room for."""
    most = json.loads((HERE / "original.json").read_text("utf-8"))["most_sessions"]
    with _starting:
        _hosts[:] = [each for each in _hosts if each.usable]
        found = next((each for each in _hosts if not most or each.sessions < most), None)
        if found is None:
            found = Host()
            _hosts.append(found)
        found.sessions += 1
        return found


def stop() -> None:
    """End all processes of the original."""
    for each in _hosts:
        each.kill()
    _hosts.clear()


def _python(facts: dict[str, Any]) -> str:
    """Return the Python of the original's venv, which the first call makes in the user's cache, whatever HOME is."""
    packages, version = facts["packages"], facts["python"]
    key = hashlib.sha256(json.dumps([packages, version]).encode()).hexdigest()[:16]
    cache = Path(pwd.getpwuid(os.getuid()).pw_dir, ".cache", "rl-env-originals")
    cache.mkdir(parents=True, exist_ok=True)
    folder = cache / key
    python = folder / "bin" / "python"
    with (cache / f"{key}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "made").exists():
            _make(folder, python, facts)
            (folder / "made").touch()
    return str(python)


def _make(folder: Path, python: Path, facts: dict[str, Any]) -> None:
    """Make a venv with exactly these packages. Raises OriginalFailed."""
    packages, version = facts["packages"], facts["python"]
    uv = shutil.which("uv") or shutil.which("uv", path=str(Path(sys.executable).parent))
    here = Path(facts["interpreter"])
    if uv:
        version = str(here) if here.exists() else version
        made = [uv, "venv", "--quiet", "--clear", "--no-project", "--python", version, str(folder)]
        filled = [uv, "pip", "install", "--quiet", "--no-deps", "--python", str(python)]
    elif version == "{}.{}".format(*sys.version_info):
        made = [sys.executable, "-m", "venv", "--clear", str(folder)]
        filled = [str(python), "-m", "pip", "install", "--quiet", "--no-deps"]
    else:
        raise OriginalFailed(f"the original needs Python {version}: install uv, which brings it")
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as listed:
        listed.write("\n".join(packages))
        listed.flush()
        commands = [made, [*filled, "-r", listed.name]] if packages else [made]
        for command in commands:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                raise OriginalFailed(f"{' '.join(command)} failed: {done.stderr[-500:]}")
