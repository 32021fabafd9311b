"""The keeper of a session, which starts the session's kernel and commands and leaves no process behind.

Each session has one keeper, which is the parent of all other processes of the session. The keeper answers one
request of the server at a time, and ends when the server closes the connection.
"""

import contextlib
import os
import selectors
import signal
import socket
from collections.abc import Callable
from typing import Any

import files
import frames
import programs
from execution import Closed, Lost, Pipes, Run, watch
from isolation import confine, processes
from isolation.meter import Meter

LONGEST = 8 * 1024 * 1024
"""Maximum bytes in one message from a kernel, such as an image."""
IDLE = 0.25
"""Seconds between checks of the processes of an idle session."""
MEASURED = (0.25, 1.0)
"""Seconds between measurements of its memory and files: while something runs, and idle."""


class Keeper:
    """One session, from the server's first request to its last."""

    def __init__(self, server: socket.socket, settings: dict[str, Any], shell: Any) -> None:
        """Serve requests from a socket.

        Args:
            settings: The settings of the session:

                - the limits and the seed
                - `folder`: the folder to measure, or ""
                - `most_processes`: the number of processes that programs may create
                - `separate`: the paths that programs can read if Landlock isolates them from their keeper; otherwise
                  empty
                - `pretend`: whether the programs' user also owns files outside the session
                - `alone`: see `processes.kill_all`

            shell: The result of `kernel.make_shell`.
        """
        self._server = server
        self._settings = settings
        self._limits = settings["limits"]
        self._shell = shell
        self._pipes = Pipes()
        self._kernel = 0
        self._stream: socket.socket | None = None
        self._inbox: frames.Inbox | None = None
        self._taken = -1
        self._news = ""
        self._desk: Any = None
        if settings["display"]:
            from desk import Desk  # not if no session has a screen

            self._desk = Desk(settings, self._fork)
        self._parent = os.getppid()
        self._meter = self._new_meter()

    def serve(self) -> None:
        """Answer requests until the server closes the connection. Then end all processes of the session."""
        requests: dict[str, Callable[..., dict[str, Any]]] = {
            "cell": self._run_cell,
            "command": self._run_command,
            "screen": self._use_screen,
            "place": files.place_one,
            "read": files.read,
            "write": files.write,
        }
        try:
            while True:
                self._wait()
                request = frames.receive(self._server)
                frames.send(self._server, requests[request.pop("do")](**request))
        except (frames.Broken, Closed, ConnectionError):
            self._end_all()

    def _wait(self) -> None:
        """Wait for a request, and monitor background processes."""
        with selectors.DefaultSelector() as watched:
            watched.register(self._server, selectors.EVENT_READ)
            while not watched.select(IDLE):
                self._pipes.drain(None)
                if problem := self._look(idle=True):
                    self._end_all(problem)

    def _run_cell(self, code: str, seconds: float) -> dict[str, Any]:
        if self._shell is None:
            return {"failure": "run_code needs ipython among the packages of open_sandbox"}
        self._pipes.drain(None)
        run = self._run()
        number, news = None, self._take_news()
        try:
            if not self._kernel:
                self._start_kernel()
            self._stream.settimeout(5.0)  # an earlier cell may have left no reader
            frames.send(self._stream, {"code": code})
            self._stream.settimeout(None)
            listener = self._listener(run)
            note = self._watch(run, self._stream, listener, self._interrupt, seconds)
            number = int(run.done["execution_count"])
            status = "error" if note or run.done["failed"] else "ok"
            note = f"{note}; its variables are kept" if note else news
        except Closed:
            raise
        except Exception as error:  # noqa: BLE001 - a kernel that was made to send nonsense
            self._end_all(str(error) if isinstance(error, Lost) else "its kernel broke")
            status, note = "lost", self._take_news()
        outputs = run.outputs()
        return {"outputs": outputs, "execution_count": number, "status": status, "note": note}

    def _run_command(self, command: str, seconds: float) -> dict[str, Any]:
        run = self._run()
        writing = self._pipes.open("command")
        own = self._pipes.descriptors()[-1]
        try:
            child = self._fork()
        except Lost as error:
            os.close(writing)
            self._end_all(str(error))
            return {"output": "", "exit_code": None, "note": self._take_news()}
        if child == 0:
            programs.become_bash(self._settings, command, writing)
        os.close(writing)
        ending = os.pidfd_open(child)

        def take() -> None:
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            run.done = {"code": code if code >= 0 else 128 - code}

        def stop() -> None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)

        try:
            note = self._watch(run, ending, take, stop, seconds, child)
        except Lost as error:
            self._end_all(str(error))
            note = self._take_news()
        finally:
            os.close(ending)
        self._pipes.drain(run)
        self._pipes.close(own)
        mine = [output for output in run.outputs() if output.get("name") == "command"]
        printed = "".join(output["text"] for output in mine)
        code = None if note else run.done["code"]
        return {"output": printed, "exit_code": code, "note": note}

    def _use_screen(self, ask: dict[str, Any], seconds: float) -> dict[str, Any]:
        if not self._desk:
            return {"failure": "this session was opened without a display"}
        run = self._run()

        def take() -> None:
            run.done = self._desk.take()

        def stop() -> None:
            raise Lost(f"the display did not answer within {seconds:g} s")

        try:
            self._desk.open(self._server)
            frames.send(self._desk.stream, ask)
            self._watch(run, self._desk.stream, take, stop, seconds)
        except (Lost, OSError) as error:
            self._end_all(str(error) or "the display ended")
            return {"ended": self._take_news()}
        return run.done

    def _run(self) -> Run:
        return Run(self._limits["output_mb"] * confine.MEGABYTE)

    def _watch(
        self,
        run: Run,
        source: socket.socket | int,
        take: Callable[[], None],
        stop: Callable[[], None],
        seconds: float,
        child: int = 0,
    ) -> str:
        return watch(
            run,
            server=self._server,
            pipes=self._pipes,
            source=source,
            take=take,
            stop=stop,
            look=lambda: self._look(child),
            seconds=seconds,
        )

    def _listener(self, run: Run) -> Callable[[], None]:
        """Return a function that reads the kernel's next message and stores its content in the run."""

        def take() -> None:
            try:
                message = self._inbox.take()
            except frames.Broken:
                raise Lost(self._obituary()) from None
            if message is None:
                return
            # Output before the message may have arrived after the last read of the pipes.
            self._pipes.drain(run)
            if message.get("done"):
                run.done = message
            elif message["output"]["output_type"] == "clear":
                run.clear()
            else:
                run.add(message["output"], message["identity"], message["update"])
            with contextlib.suppress(OSError):
                os.write(self._taken, b".")  # later output follows it

        return take

    def _start_kernel(self) -> None:
        self._stream, other = socket.socketpair()
        self._inbox = frames.Inbox(self._stream, LONGEST)
        taken, self._taken = os.pipe()
        os.set_blocking(self._taken, False)
        printed, errors = self._pipes.open("stdout"), self._pipes.open("stderr")
        try:
            self._kernel = self._fork()
            if self._kernel == 0:
                linked = (self._server, self._stream)
                streams = (other, printed, errors, taken)
                programs.become_kernel(self._settings, self._shell, linked, *streams)
        finally:
            other.close()
            for descriptor in (printed, errors, taken):
                os.close(descriptor)

    def _fork(self) -> int:
        """Fork as os.fork() does. Raise Lost if no further process can be started."""

        def look() -> None:
            if problem := self._look():
                raise Lost(problem)

        try:
            return processes.fork(look)
        except OSError as error:
            raise Lost(f"no process could be started ({error.strerror})") from None

    def _interrupt(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._kernel, signal.SIGINT)

    def _look(self, child: int = 0, *, idle: bool = False) -> str:
        if os.getppid() != self._parent:
            raise Closed  # the fork server was killed, and with it everything that monitors this one
        count = processes.count(self._limits["processes"])
        driver = self._desk.driver if self._desk else 0
        processes.reap(self._kernel, child, driver)  # after counting the dead as well
        if count > self._limits["processes"]:
            return f"the session had more than {self._limits['processes']} processes and threads"
        return self._meter.problem(MEASURED[idle], driver)

    def _new_meter(self) -> Meter:
        return Meter(self._limits, self._settings["folder"])

    def _obituary(self) -> str:
        """Return a text that says how the kernel ended after it closed the connection."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._kernel, signal.SIGKILL)
        code = os.waitstatus_to_exitcode(os.waitpid(self._kernel, 0)[1])
        self._kernel = 0
        ended = f"ended by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        return f"its kernel died ({ended})"

    def _take_news(self) -> str:
        news, self._news = self._news, ""
        return news

    def _end_all(self, why: str = "") -> None:
        """End every process of the session except this one. The next result states the reason and the lost data."""
        lost = "; its variables are lost, and a new kernel takes its place" if self._stream else ""
        self._news = f"{why}{lost}"
        processes.kill_all(alone=self._settings["alone"])
        self._meter = self._new_meter()
        self._kernel = 0
        if self._stream:
            self._stream.close()
            self._stream = None
            os.close(self._taken)
        if self._desk:
            self._desk.forget()
        self._pipes.close()
