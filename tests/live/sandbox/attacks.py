"""Run by test_sandbox_hostile.py where a rendered domain is: attacks sessions, prints what went wrong.

python attacks.py ENV INSTALLED SECRET [NAME...]
ENV and INSTALLED are folders with the domain, SECRET a word that sessions must not come to see.
The last line is a JSON object: the problems by the attack's name, those of all attacks under "".
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import platform
import re
import resource
import shlex
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import counter_domain._shared.env_spec  # noqa: F401 - the environment whose sessions these are
from rl_env_sandbox import Limits, SandboxFailed, forks, open_sandbox
from sandbox_attacks import ATTACKS, PRELUDE, Attack
from sandbox_disks import DISKS
from sandbox_escapes import ESCAPES
from sandbox_floods import FLOODS
from sandbox_hoards import HOARDS
from sandbox_screens import SCREENS
from sandbox_watch import forker, gone, keepers

ENV, INSTALLED, MARK, *NAMES = sys.argv[1:]
PACKAGES = ["ipython", "numpy", "pandas", "matplotlib"]
TIMED = Limits(
    cell_seconds=2, command_seconds=2, memory_mb=300, disk_mb=20, processes=40, cpu_seconds=60,
    output_mb=1,
)  # fmt: skip
PATIENT = replace(TIMED, cell_seconds=60, command_seconds=60)
AT_ONCE = 4
SCREEN = "COUNTER_SCREEN" in os.environ
_opening = threading.Lock()


def opened(label: str, limits: Limits = PATIENT) -> tuple[Any, set[int]]:
    """A session, and the processes that it brought."""
    variables = {"LABEL": label}
    with _opening:
        before = keepers()
        if SCREEN:
            session = opened_screen(limits, variables)
            return session, keepers() - before
        session = open_sandbox(
            {"data.csv": b"a,b\n1,2\n"}, packages=PACKAGES, warm=["pandas"], limits=limits,
            variables=variables,
        )  # fmt: skip
        return session, keepers() - before


def opened_screen(limits: Limits, variables: dict[str, str]) -> Any:
    """A session with a screen, on which nothing is shown yet."""
    from rl_env_sandbox import Settings, environment, screen
    from rl_env_sandbox.local import screen as local_screen

    size = environment.calling().screen["size"]
    more = replace(limits, memory_mb=600, processes=limits.processes + 20)
    packages = (*PACKAGES, *screen.PACKAGES)
    files = {"data.csv": b"a,b\n1,2\n"}
    settings = Settings(files, packages, ["pandas"], 0, variables, more, size)
    session = local_screen.open_screen(settings)
    session.play([])
    return session


def screen_problems(session: Any) -> list[str]:
    """Whether a screen can be seen: at once, or after it was told that it broke."""
    from rl_env_sandbox.screen import ScreenLost

    texts = []
    for _ in range(2):
        try:
            if session.play([("move", 5, 5)], ("png", 80)).picture.startswith(b"\x89PNG"):
                return []
        except ScreenLost as problem:
            texts.append(str(problem))
    return [f"no screen: {texts}"]


def places() -> dict[str, Any]:
    """What attacks know of the server; it is more than a session can find out."""
    return {
        "server": os.getpid(), "forker": forker()._process.pid, "env": ENV, "installed": INSTALLED,
        "folder": forker()._folder or tempfile.gettempdir(), "server_file": str(SERVER_FILE),
        "port": TCP.getsockname()[1], "unix": UNIX.getsockname(),
        "abstract": ABSTRACT.getsockname()[1:].decode(), "datagrams": DATAGRAMS.getsockname(),
        "shared": SHARED, "queue": QUEUE, "mode": forker().enforced["mode"],
    }  # fmt: skip


def filled(text: str, quote: Callable[[Any], str]) -> str:
    """An attack's text with the places in it, written so that the session does not recognize them.

    Where sessions have no file system of their own, /tmp is made to mean the session's own folder.
    """
    known = places()

    def written(name: re.Match[str]) -> str:
        if name[1] not in known:
            return name[0]
        value = known[name[1]]
        hidden = isinstance(value, str) and value.startswith("/")
        return f"'/'{quote(value[1:])}" if hidden else quote(value)

    return re.sub(r"<([a-z_]+)>", written, text)


def all_text(result: Any) -> str:
    outputs = getattr(result, "outputs", None)
    shown = json.dumps(outputs, ensure_ascii=False) if outputs is not None else result.output
    return f"{shown}\n{result.note}"


class Innocent:
    """A session that goes on beside the attacked one; it has time, as the machine may be busy."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.label = f"innocent-{os.getpid()}-{number}"
        self.session, _ = opened(self.label)
        secret = f"{MARK} of a neighbour"
        self.session.write_file("mine.txt", secret.encode())
        self.session.run_code(
            f"import subprocess, sys, os; x = {number}; os.environ['X'] = {secret!r}\n"
            f"p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(9999)', {secret!r}])"
        )
        if SCREEN:
            self.session.run_code(
                "from Xlib import display, Xatom\nd = display.Display()\nroot = d.screen().root\n"
                "window = root.create_window(0, 0, 50, 50, 0, 24)\n"
                f"window.set_wm_name({secret!r})\nwindow.map()\n"
                f"root.change_property(d.intern_atom('CUT_BUFFER0'), Xatom.STRING, 8, {secret!r}.encode())\n"
                "window.set_selection_owner(d.intern_atom('CLIPBOARD'), 0)\nd.sync()"
            )

    def problems(self) -> list[str]:
        cell = self.session.run_code("print(x, p.poll(), open('mine.txt').read())")
        expected = f"{self.number} None {MARK} of a neighbour\n"
        found = [output.get("text") or output.get("traceback") for output in cell.outputs]
        again = self.session.run_command("sh -c 'echo well'")
        wrong = [] if found == [expected] else [f"innocent {self.number} shows {found} {cell.note}"]
        said = f"the bash of innocent {self.number} says {again.output!r} {again.note}"
        return wrong + ([] if again.output == "well\n" else [said])


def attacked(attack: Attack, innocent: Innocent) -> list[str]:
    """What went wrong in an attack, and after."""
    label = f"attack-{os.urandom(6).hex()}"
    try:
        session, processes = opened(label, TIMED if attack.timed else PATIENT)
        try:
            problems = played(attack, session)
            problems += screen_problems(session) if SCREEN else []
        finally:
            session.close()
        session.close()
    except (SandboxFailed, OSError, ValueError, KeyError) as error:
        return [f"raised {error!r}"]
    return [*problems, *(f"left: {p}" for p in gone(label, processes)), *innocent.problems()]


def played(attack: Attack, session: Any) -> list[str]:
    problems: list[str] = []
    session.run_code(PRELUDE)
    if attack.command:
        result = session.run_command(filled(attack.command, lambda v: shlex.quote(str(v))))
        if attack.exit not in ("any", result.exit_code):
            problems.append(f"exit code {result.exit_code}: {all_text(result)[:500]}")
    else:
        result = session.run_code(filled(attack.code, repr))
        expected = "lost" if forker().enforced["mode"] in attack.lost else attack.status
        if result.status not in expected.split("|"):
            problems.append(f"status {result.status}: {all_text(result)[:500]}")
    text = all_text(result)
    for name in attack.reads:
        text += repr(session.read_file(name))
    for name in attack.writes:
        with contextlib.suppress(OSError):
            session.write_file(name, b"written")
    problems += [f"not shown: {word}: {text[:500]}" for word in attack.says if word not in text]
    if attack.kept:
        kept = all_text(session.run_code("print('kept', kept)"))
        problems += [] if "kept 5" in kept else [f"not kept: {kept[:500]}"]
    found, later = answering(session, attack.broken)
    problems += found
    for word in (MARK, "REACHED", *attack.shows_no):
        if (at := (text + later).find(word)) >= 0:
            problems.append(f"shown: ...{(text + later)[max(0, at - 200) : at + 300]}")
    return problems


def answering(session: Any, broken: bool) -> tuple[list[str], str]:
    """Whether a session answers; it may first have to tell what became of it."""
    texts = []
    for _ in range(3):
        cell, command = session.run_code("40 + 2"), session.run_command("echo alive")
        texts += [all_text(cell), all_text(command)]
        values = [output.get("data", {}).get("text/plain") for output in cell.outputs]
        if command.output.endswith("alive\n") and (broken or "42" in values):
            return [], "".join(texts)
    return [f"no answer: {[text[-300:] for text in texts]}"], "".join(texts)


def crowded_out() -> list[str]:
    """What a session loses while somebody else fills the table of its user's processes."""
    most = 0
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            if path.stat().st_uid == os.getuid():
                most += len(list((path / "task").iterdir()))
    resource.setrlimit(resource.RLIMIT_NPROC, (most + 40,) * 2)  # before the fork server starts
    session, _ = opened("crowded")
    session.run_code("x = 1")
    result = while_full(lambda: session.run_command("echo well"))
    wrong = [] if result.output == "well\n" else [f"no room for bash: {result.note}"]
    if "x is 1" not in (shown := all_text(session.run_code("print('x is', x)"))):
        wrong.append(f"crowded out: {shown}")
    session.close()
    try:
        session, _ = while_full(lambda: opened("late"))
    except SandboxFailed as error:
        return [*wrong, f"no room for a session: {error}"]
    session.close()
    return wrong


def while_full(act: Callable[[], Any]) -> Any:
    """What an act gives that begins when there is no room for another process, for a second."""
    fillers: list[subprocess.Popen[bytes]] = []
    full = threading.Event()

    def make_room() -> None:
        full.wait()
        time.sleep(1)
        for filler in fillers:
            filler.kill()
            filler.wait()

    maker = threading.Thread(target=make_room)
    maker.start()
    with contextlib.suppress(BlockingIOError):
        while len(fillers) < 1000:  # nothing stops root
            fillers.append(subprocess.Popen(["sleep", "60"]))
    full.set()
    try:
        return act()
    finally:
        maker.join()


def main() -> None:
    """Play all attacks, some of them at once."""
    chosen = [
        a
        for a in (*ATTACKS, *FLOODS, *ESCAPES, *DISKS, *HOARDS, *(SCREENS if SCREEN else ()))
        if not NAMES or a.name in NAMES
    ]
    chosen = [a for a in chosen if not a.x86 or platform.machine() == "x86_64"]
    first, _ = opened("first")  # which starts the fork server
    first.close()
    free = [Innocent(number) for number in range(AT_ONCE)]

    def turn(attack: Attack) -> list[str]:
        innocent = free.pop()
        problems = attacked(attack, innocent)
        if problems:  # told once, and not of every attack from here on
            innocent.session.close()
            innocent = Innocent(innocent.number)
        free.append(innocent)
        return problems

    files = {path: content(path) for path in guarded()}
    descriptors = open_descriptors()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = dict(zip((a.name for a in chosen), pool.map(turn, chosen), strict=True))
    rest = [p for innocent in free for p in innocent.problems()]
    if (now := open_descriptors()) > descriptors:
        rest.append(f"{now - descriptors} descriptors more than before")
    after = {path: content(path) for path in guarded()}
    with contextlib.suppress(BlockingIOError):
        rest.append(f"a datagram arrived: {DATAGRAMS.recv(99)!r}")
    if changed := {p for p in {*files, *after} if files.get(p) != after.get(p)}:
        rest.append(f"changed: {sorted(map(str, changed))[:9]}")
    for innocent in free:
        innocent.session.close()
        rest += gone(innocent.label, set())
    rest += gone("", keepers())
    mode = forker().enforced
    forks._end_all()
    rest += crowded_out()
    forks._end_all()
    if files_left := [path.name for path in Path(tempfile.gettempdir()).iterdir()]:
        rest.append(f"left: {files_left}")
    print(json.dumps({**found, "": rest, "enforced": mode}))


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def content(path: Path) -> Any:
    """What nobody may change of a file."""
    found = path.stat()
    return path.read_bytes(), found.st_mode, found.st_mtime


def guarded() -> list[Path]:
    """Files that nobody may change: the domain's, some packages', and one of the server's."""
    import numpy

    trees = (Path(ENV), Path(INSTALLED), Path(numpy.__file__).parent / "lib")
    return [SERVER_FILE, *(p for tree in trees for p in tree.rglob("*") if p.is_file())]


if __name__ == "__main__":
    scratch = Path(tempfile.gettempdir()).parent
    SERVER_FILE = scratch / "server.txt"
    SERVER_FILE.write_text(f"{MARK} of the server")
    TCP = socket.create_server(("127.0.0.1", 0))
    UNIX, ABSTRACT = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
    UNIX.bind(str(scratch / "unix"))
    ABSTRACT.bind(f"\0sandbox-{os.getpid()}")
    UNIX.listen()
    ABSTRACT.listen()
    DATAGRAMS = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    DATAGRAMS.setblocking(False)
    DATAGRAMS.bind(str(scratch / "datagrams"))
    Path(DATAGRAMS.getsockname()).chmod(0o777)
    libc = ctypes.CDLL(None)
    SHARED, QUEUE = libc.shmget(0, 4096, 0o1600), libc.msgget(0, 0o1600)
    try:
        main()
    finally:
        libc.shmctl(SHARED, 0, None)
        libc.msgctl(QUEUE, 0, None)
