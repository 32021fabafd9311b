"""Run by desktops.py where a Python has what screens import: measures one kind of desktop, prints JSON.

python desktop_sessions.py KIND SINGLE MANY...     KIND is ours or plain
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil

PROGRAM = ["galculator"]
KEYS = "123456789"


class Plain:
    """What a hand-written environment does: a program per display, per click and per picture."""

    taken = iter(range(100 + os.getpid() % 500 * 100, 100_000))

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        display = f":{next(self.taken)}"
        self.env = {**os.environ, "DISPLAY": display, "HOME": self.folder.name}
        size = ("-screen", "0", "1024x768x24", "-nolisten", "tcp")
        self.programs = [self.run("Xvfb", display, *size)]
        while self.call("xdpyinfo").returncode:
            time.sleep(0.05)
        self.programs.append(self.run("openbox"))
        while b"window id" not in self.call("xprop", "-root", "_NET_SUPPORTING_WM_CHECK").stdout:
            time.sleep(0.02)

    def run(self, *command: str) -> subprocess.Popen[bytes]:
        """Start a program on the display."""
        nothing = subprocess.DEVNULL
        return subprocess.Popen(command, env=self.env, stdout=nothing, stderr=nothing)

    def call(self, *command: str) -> subprocess.CompletedProcess[bytes]:
        """Run a program on the display to its end."""
        return subprocess.run(command, env=self.env, capture_output=True, check=False)

    def start(self) -> None:
        """Start the program, and wait until it is there."""
        self.programs.append(self.run(*PROGRAM))
        time.sleep(2)

    def picture(self) -> bytes:
        """The screen as a PNG file."""
        path = Path(self.folder.name, "shot.png")
        self.call("scrot", "--overwrite", "--pointer", str(path))
        return path.read_bytes()

    def press(self, key: str) -> bytes:
        """Press a key and look until something has changed."""
        before = self.picture()
        self.call("xdotool", "key", key)
        while (now := self.picture()) == before:
            pass
        return now

    def close(self) -> None:
        """End it with its programs."""
        for program in reversed(self.programs):
            program.terminate()  # an X server that is killed leaves its socket in the way
            program.wait()
        self.folder.cleanup()


class Ours:
    """A screen of the local backend."""

    def __init__(self) -> None:
        import desktop_domain._shared.env_spec  # noqa: F401 - how large the screen is
        from rl_env_sandbox.screen import open_screen

        self.screen = open_screen({})

    def start(self) -> None:
        """Start the program, and wait until it is there."""
        self.screen.start(PROGRAM)

    def picture(self) -> bytes:
        """The screen as a PNG file."""
        return self.screen.play([], ("png", 80)).picture

    def press(self, key: str) -> bytes:
        """Press a key, and look when the program is idle again."""
        return self.screen.play([("down", key), ("up", key)], ("png", 80)).picture

    def close(self) -> None:
        """End it with its programs."""
        self.screen.close()


def timed(act: Callable[[], Any]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def opened(kind: type[Any]) -> Any:
    """A desktop of which a picture was seen."""
    desktop = kind()
    desktop.picture()
    return desktop


def memory() -> float:
    """MB of all that this process has started, what is shared counted once."""
    total = 0
    for child in psutil.Process().children(recursive=True):
        try:
            total += child.memory_full_info().pss
        except psutil.Error:
            continue
    return total / 1e6


def cpu_seconds() -> float:
    """CPU time of this process, the tools that it ran, and what plays on a session's screen for it."""
    times = psutil.Process().cpu_times()
    total = times.user + times.system + times.children_user + times.children_system
    for child in psutil.Process().children(recursive=True):
        if "inside" in child.cmdline():
            own = child.cpu_times()
            total += own.user + own.system
    return total


def main() -> None:
    """Measure and print."""
    kind = {"ours": Ours, "plain": Plain}[sys.argv[1]]
    single, many = int(sys.argv[2]), [int(count) for count in sys.argv[3:]]
    first = timed(lambda: opened(kind).close())
    starts, ends = [], []
    for _ in range(single):
        time.sleep(0.5)  # an episode lasts a while: what is made ready meanwhile counts
        made: list[Any] = []
        starts.append(timed(lambda made=made: made.append(opened(kind))))
        ends.append(timed(made[0].close))
    desktop = opened(kind)
    desktop.start()
    shots = [timed(desktop.picture) for _ in range(30)]
    presses = [timed(lambda key=key: desktop.press(key)) for key in KEYS]
    before = cpu_seconds()
    for key in KEYS * 3:
        desktop.press(key)
    used = cpu_seconds() - before
    desktop.close()
    found: dict[str, Any] = {
        "first": first,
        "start": statistics.median(starts),
        "end": statistics.median(ends),
        "shot": statistics.median(shots),
        "press": statistics.median(presses),
        "cpu": used / (len(KEYS) * 3),
        "many": {},
    }
    for count in many:
        empty = memory()
        began = time.perf_counter()
        with ThreadPoolExecutor(count) as pool:
            desktops = list(pool.map(opened, [kind] * count))
            seconds = time.perf_counter() - began
            again = timed(
                lambda pool=pool, all_of=desktops: list(pool.map(lambda d: d.picture(), all_of))
            )
            each = (memory() - empty) / count
            list(pool.map(lambda d: d.close(), desktops))
        found["many"][count] = {"seconds": seconds, "again": again, "each": each}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
