"""Starts the stand-in for E2B's cloud, and says what it holds."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import psutil

from skill_tools.runtime import interpreters, supervise, venvs
from skill_tools.runtime.environment import child_environment
from tests.live.served import free_port, wait_until_it_answers
from tests.processes import below, commands, named

HERE = Path(__file__).parent
KEY = "e2b_" + "0123456789abcdef" * 2 + "01234567"
IN_THE_CLOUD = (
    "ipykernel==6.31.0", "ipython==9.15.0", "jupyter-client>=8,<9", "matplotlib", "numpy",
    "pandas", "python-multipart", "starlette", "uvicorn",
)  # fmt: skip
MOST = 20


class StandIn(NamedTuple):
    """The cloud: where it listens, and its process."""

    url: str
    process: psutil.Process

    def sandboxes(self) -> list[dict[str, Any]]:
        return httpx.get(f"{self.url}/stand-in").json()

    def made(self) -> int:
        """How many sandboxes there have been."""
        return int(httpx.get(f"{self.url}/stand-in").headers["sandboxes-made"])

    def nothing_left(self) -> bool:
        """Whether all sandboxes are gone with all their processes, which takes a moment."""
        for _ in range(300):
            if not self.sandboxes() and not self.process.children(recursive=True):
                return True
            time.sleep(0.1)
        return False


@contextmanager
def cloud(folder: Path, most: int, programs: Path | None = None) -> Iterator[StandIn]:
    """A stand-in; `programs` is a folder of programs that desktops have besides the machine's."""
    python = interpreters.find(">=3.11,<3.15")
    warm = ("matplotlib.pyplot", "pandas", "ipykernel.kernelapp", "jupyter_client", "starlette")
    made = venvs.base(IN_THE_CLOUD, python, warm)
    port = free_port()
    program = [made.python, HERE / "e2b_stand_in.py", port, folder, KEY, most]
    log = folder / "log"
    environment = child_environment(
        {"PYTHONPATH": str(HERE), "STAND_IN_PROGRAMS": str(programs or "")}
    )
    with supervise.process(program, cwd=folder, env=environment, log=log) as handle:
        url = f"http://127.0.0.1:{port}"
        wait_until_it_answers(f"{url}/stand-in", lambda: handle.running, log)
        (process,) = [
            process
            for process in set(named(str(port))) & set(below())
            if "supervisor.py" not in " ".join(commands([process]))
        ]
        yield StandIn(url, process)
