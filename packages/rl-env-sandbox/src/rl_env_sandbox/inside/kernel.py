"""The IPython kernel of a session, which runs cells and sends their results to the session's keeper.

The shell is created once, in the fork server, and a session's kernel is a fork of that server. Printed output
goes through pipes that the keeper reads, so that no code in the kernel can hold the output back.
"""

import asyncio
import base64
import contextlib
import io
import os
import random
import select
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from typing import Any

import frames

LONGEST = 500_000
"""Maximum characters of a displayed text; a message holds a few, and each may take six bytes."""
LARGEST = 5_000_000
"""Maximum characters of a displayed image, as base64."""

try:
    from IPython.core.displayhook import DisplayHook
    from IPython.core.displaypub import DisplayPublisher
    from IPython.core.history import HistoryManager
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config
except ImportError:
    Shell = None
else:

    class Display(DisplayPublisher):
        """A publisher that forwards the data that display() shows."""

        def publish(self, data: Any, metadata: Any = None, **options: Any) -> None:
            """Send displayed data to the session's keeper."""
            shown = {"data": _as_json(data), "metadata": {}}
            identity = (options.get("transient") or {}).get("display_id")
            self.shell.tell({"output_type": "display_data", **shown}, identity, options)

        def clear_output(self, wait: bool = False) -> None:
            """Discard all outputs of the cell so far."""
            self.shell.tell({"output_type": "clear"})

    class LastValue(DisplayHook):
        """A display hook that forwards the value of a cell's last expression."""

        def write_output_prompt(self) -> None:
            """Write nothing, because the message to the keeper contains the output's number."""

        def write_format_data(self, format_dict: Any, md_dict: Any = None) -> None:
            """Send the value of the cell's last expression to the session's keeper."""
            shown = {"data": _as_json(format_dict), "metadata": {}}
            number = self.prompt_count
            self.shell.tell({"output_type": "execute_result", "execution_count": number, **shown})

        def finish_displayhook(self) -> None:
            """Write nothing."""

    class Shell(InteractiveShell):
        """IPython without a terminal, a history file or colors."""

        to_keeper: socket.socket | None = None
        taken = -1
        serving = 0
        system = InteractiveShell.system_raw  # the alternative needs a terminal

        def ask_exit(self) -> None:
            """End the kernel, as exit() does in a notebook."""
            os._exit(0)

        def enable_gui(self, gui: Any = None) -> None:
            """Open no windows, because there is no screen."""

        def init_history(self) -> None:
            """Keep no history on disk."""
            self.history_manager = HistoryManager(shell=self, parent=self, enabled=False)
            self.configurables.append(self.history_manager)

        def _showtraceback(self, etype: Any, evalue: Any, stb: list[str]) -> None:
            name = getattr(etype, "__name__", str(etype))
            lines = _bounded("\n".join(stb)).split("\n")
            try:
                value = _bounded(str(evalue))
            except Exception:  # noqa: BLE001 - its own doing
                value = ""
            self.tell({"output_type": "error", "ename": name, "evalue": value, "traceback": lines})

        def tell(self, output: Any, identity: Any = None, options: Any = None) -> None:
            """Send an output to the session's keeper, after all text that was printed earlier."""
            if os.getpid() != self.serving:
                return  # a process forked by a cell may not send
            for stream in (sys.stdout, sys.stderr):
                with contextlib.suppress(Exception):
                    stream.flush()
            update = bool((options or {}).get("update"))
            message = {"output": output, "identity": identity, "update": update}
            with _uninterrupted():
                frames.send(self.to_keeper, message)
                self.wait_until_taken()

        def wait_until_taken(self) -> None:
            """Wait until the session's keeper has read the output so far, before more text is printed."""
            if threading.current_thread() is threading.main_thread():
                with contextlib.suppress(OSError, ValueError):
                    if select.select([self.taken], [], [], 1.0)[0]:
                        os.read(self.taken, 1 << 16)


def make_shell() -> Any:
    """Return the shell that all sessions start from, or None if the packages do not include IPython."""
    if Shell is None:
        return None
    with contextlib.suppress(ImportError):
        import numpy  # noqa: F401 - whose numbers every session's seed is for
    config = Config()
    config.InteractiveShell.colors = "nocolor"
    config.InteractiveShell.banner1 = ""
    config.HistoryManager.enabled = False
    shell = Shell.instance(
        config=config, display_pub_class=Display, displayhook_class=LastValue, user_ns={}
    )
    if "matplotlib" in sys.modules:
        shell.enable_matplotlib("inline")
    # What a first cell, a first traceback and a first table would each load separately.
    shell.to_keeper, other = socket.socketpair()
    shell.serving = os.getpid()
    for code in ("1", "1/0", "import pandas as _p; _p.DataFrame({'a': [1]})"):
        if "pandas" in sys.modules or "pandas" not in code:
            shell.run_cell(code, store_history=False)
    other.close()
    shell.to_keeper.close()
    shell.reset(new_session=True)
    return shell


def serve(shell: Any, stream: socket.socket, taken: int, seed: int) -> None:
    """Run the cells that the session's keeper sends, in order, until the keeper closes the connection.

    The keeper sends a byte to `taken` for each output that it has read.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed % 2**32)
    asyncio.set_event_loop(None)
    # As in a notebook, and as `python3 -c` in the shell.
    own = os.environ["PYTHONPATH"].split(":")
    sys.path[:] = ["", *own, *(path for path in sys.path if path not in own)]
    shell.to_keeper, shell.taken = stream, taken
    shell.serving = os.getpid()
    while True:
        try:
            code = frames.receive(stream)["code"]
        except (frames.Broken, KeyError):
            return
        number = shell.execution_count
        try:
            failed = _run(shell, code)
        except KeyboardInterrupt:  # too late to stop the cell, which is over
            failed = False
        for output in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):
                output.flush()
        if os.getpid() != shell.serving:
            return  # a process that the cell forked, and that reached the cell's end
        frames.send(stream, {"done": True, "failed": failed, "execution_count": number})


def _run(shell: Any, code: str) -> bool:
    """Run a cell; return whether it failed."""
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        result = shell.run_cell(code, store_history=True)
        return not result.success
    except KeyboardInterrupt:
        name = "KeyboardInterrupt"
        output = {"output_type": "error", "ename": name, "evalue": "", "traceback": [name]}
        shell.tell(output)
        return True
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Delay an interrupt while a message is being sent, because the interrupt would cut the message in two."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _as_json(data: Any) -> dict[str, str]:
    """Return displayed data in each of its formats, as text. Images become base64; huge images are left out."""
    forms = {}
    for kind, value in dict(data).items():
        text = base64.b64encode(value).decode() if isinstance(value, bytes) else str(value)
        if not kind.startswith(("image/", "application/")):
            forms[kind] = _bounded(text)
        elif len(text) <= LARGEST:
            forms[kind] = text
        else:
            forms.setdefault("text/plain", f"[{kind} of {len(text)} characters was left out]")
    return forms


def _bounded(text: str) -> str:
    """Return a text that fits into a message. If the text is too long, keep only its beginning and its end."""
    if len(text) <= LONGEST:
        return text
    half = LONGEST // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half} characters cut ...]\n{text[-half:]}"


def set_up_streams(printed: int, errors: int) -> None:
    """Redirect all printed output, from Python, C or child processes, into two pipes."""
    nothing = os.open("/dev/null", os.O_RDONLY)
    for source, target in ((nothing, 0), (printed, 1), (errors, 2)):
        os.dup2(source, target)
    os.close(nothing)
    sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False), encoding="utf-8")
    sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__ = _writer(1), _writer(2)


def _writer(descriptor: int) -> io.TextIOWrapper:
    raw = io.BufferedWriter(io.FileIO(descriptor, "w", closefd=False))
    return io.TextIOWrapper(raw, encoding="utf-8", errors="replace", line_buffering=True)
