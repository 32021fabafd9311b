"""The kernels of the stand-in for E2B's cloud, and what its server says of their messages."""

from __future__ import annotations

import asyncio
import os
import queue
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from jupyter_client import AsyncKernelClient
from jupyter_client.connect import write_connection_file

KEEPALIVE_SECONDS = 5.0
POLL_SECONDS = 1.0
"""How often Jupyter's server looks whether a kernel is alive (in truth every 3 s)."""
CONFIG = """\
c.InteractiveShell.colors = "NoColor"
c.PlainTextFormatter.max_seq_length = 0
"""
STARTUP = """\
# As in E2B's template: more is sent than is shown, lists as JSON, and names are left behind.
import sys
from IPython.core.formatters import BaseFormatter, JSONFormatter
from traitlets import ObjectName, Unicode

class Whole(BaseFormatter):
    format_type = Unicode("e2b/data")
    print_method = ObjectName("_repr_e2b_data_")
    _return_type = (dict, str)

    def __call__(self, value):
        table = sys.modules.get("pandas") and isinstance(value, sys.modules["pandas"].DataFrame)
        return value.to_dict(orient="list") if table else super().__call__(value)

class Lists(JSONFormatter):
    def __call__(self, value):
        known = isinstance(value, (list, dict))
        return (value, {"expanded": True}) if known else super().__call__(value)

display_formatter = get_ipython().display_formatter
display_formatter.formatters["e2b/data"] = Whole(parent=display_formatter)
display_formatter.formatters["application/json"] = Lists(parent=display_formatter)
"""
NAMES = {
    "text/plain": "text", "text/html": "html", "text/markdown": "markdown",
    "image/svg+xml": "svg", "image/png": "png", "image/jpeg": "jpeg", "application/pdf": "pdf",
    "text/latex": "latex", "application/json": "json", "application/javascript": "javascript",
    "e2b/data": "data",
}  # fmt: skip


def child_of(process: int) -> int:
    """The one child of a process that enters a namespace, once it is there; 0 if it has ended."""
    while True:
        try:
            children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
        except OSError:
            return 0  # it is over already
        if children:
            return int(children[0])
        time.sleep(0.001)


def settings_folder(folder: Path) -> Path:
    """IPython's folder, with the settings of E2B's template."""
    profile = folder / "ipython" / "profile_default"
    (profile / "startup").mkdir(parents=True, exist_ok=True)
    (profile / "ipython_kernel_config.py").write_text(f"c = get_config()\n{CONFIG}")
    (profile / "startup" / "00.py").write_text(STARTUP)
    return profile.parent


class Kernel:
    """A context: a kernel that is started again when it dies."""

    def __init__(self, machine: Any, cwd: str, settings: Path) -> None:
        self.machine = machine
        self.cwd = cwd
        self.variables = {**os.environ, "IPYTHONDIR": str(settings)}
        self.lock = asyncio.Lock()
        self.changing = asyncio.Lock()
        self.lives = 0
        self.told_variables = False

    async def start(self) -> None:
        name = str(self.machine.folder / os.urandom(4).hex())
        write_connection_file(f"{name}.json", transport="ipc", ip=name)
        command = [sys.executable, "-m", "ipykernel_launcher", "-f", f"{name}.json"]
        process = await asyncio.create_subprocess_exec(
            *self.machine.enter(["setsid", "env", "-C", self.cwd, *command]),
            env=self.variables,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        self.process = process
        self.client = AsyncKernelClient()
        self.client.load_connection_file(f"{name}.json")
        self.client.start_channels(hb=False)
        await self.client.wait_for_ready(timeout=60)
        self.pid = child_of(process.pid)
        self.watcher = asyncio.create_task(self._watch(process))

    async def _watch(self, process: asyncio.subprocess.Process) -> None:
        """Start the kernel again when it has died by itself."""
        await process.wait()
        await asyncio.sleep(POLL_SECONDS)
        async with self.changing:
            if process is self.process and self.machine.alive:
                await self._again()

    async def _again(self) -> None:
        self.lives += 1
        self.signal(signal.SIGKILL)
        await self.process.wait()
        await asyncio.sleep(0.3)  # whoever listens to the old one notices
        self.client.stop_channels()
        await self.start()

    async def restart(self) -> None:
        async with self.changing:
            self.told_variables = False
            self.lock = asyncio.Lock()
            await self._again()

    def signal(self, number: int) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.pid, number)

    async def execute(self, code: str) -> AsyncIterator[dict[str, Any]]:
        async with self.lock:
            if not self.told_variables:
                self.told_variables = True
                code = f"import os; os.environ['E2B_SANDBOX'] = 'true'\n\n{code}"
            async with self.changing:
                life = self.lives
            message = self.client.execute(code, allow_stdin=False)
            try:
                async for event in self._events(message, life):
                    yield event
            except (asyncio.CancelledError, GeneratorExit):
                self.signal(signal.SIGINT)
                raise

    async def _events(self, message: str, life: int) -> AsyncIterator[dict[str, Any]]:
        said = time.monotonic()
        while True:
            if not self.machine.alive:
                raise ConnectionResetError  # the connection breaks, as it does with the real one
            if life != self.lives:
                yield _error("ContextRestarting", "Context was restarted", [])
                return
            if time.monotonic() - said > KEEPALIVE_SECONDS:
                said = time.monotonic()
                yield {"type": "keepalive"}
            try:
                reported = await self.client.get_iopub_msg(timeout=0.1)
            except (queue.Empty, OSError):
                continue
            if reported["parent_header"].get("msg_id") != message:
                continue
            kind, content = reported["msg_type"], reported["content"]
            if kind == "status" and content["execution_state"] == "idle":
                return
            event = _event(kind, content, str(reported["header"]["date"]))
            if event:
                said = time.monotonic()
                yield event


def _event(kind: str, content: dict[str, Any], time: str) -> dict[str, Any] | None:
    if kind == "execute_input":
        count = content["execution_count"]
        return {"type": "number_of_executions", "execution_count": count}
    if kind == "stream":
        return {"type": content["name"], "text": content["text"], "timestamp": time}
    if kind in ("display_data", "execute_result"):
        data = dict(content["data"])
        known = {name: data.pop(mime) for mime, name in NAMES.items() if mime in data}
        text = known.get("text", "")
        if text and text[0] == text[-1] and text[0] in "'\"":
            known["text"] = text[1:-1]
        main = kind == "execute_result"
        return {"type": "result", **known, "extra": data, "is_main_result": main}
    if kind == "error":
        return _error(content["ename"], content["evalue"], content["traceback"])
    return None


def _error(name: str, value: str, traceback: list[str]) -> dict[str, Any]:
    return {"type": "error", "name": name, "value": value, "traceback": "".join(traceback)}
