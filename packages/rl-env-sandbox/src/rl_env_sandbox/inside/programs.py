"""Turn a newly forked process of a session's keeper into the session's kernel, or into a command's bash.

`settings` are the keeper's settings.
"""

import fcntl
import os
import signal
import socket
from typing import Any, NoReturn

import kernel
from isolation import calls, confine, linux, processes

BASH = ("bash", "--noprofile", "--norc", "-c")


def become_kernel(
    settings: dict[str, Any],
    shell: Any,
    linked: tuple[socket.socket, ...],
    stream: socket.socket,
    printed: int,
    errors: int,
    taken: int,
) -> NoReturn:
    """Run the cells that arrive over a stream.

    Args:
        linked: The keeper's own sockets, which this process closes.
        printed: The descriptor for standard output.
        errors: The descriptor for standard error.
        taken: See `kernel.serve`.
    """
    try:
        leave_keeper(settings)
        ours = (stream.detach(), taken)
        high = [fcntl.fcntl(each, fcntl.F_DUPFD_CLOEXEC, 64) for each in ours]
        kernel.set_up_streams(printed, errors)
        for other in linked:
            other.detach()
        for number, descriptor in enumerate(high, 3):
            os.dup2(descriptor, number, inheritable=False)
        os.closerange(5, 1024)
        kernel.serve(shell, socket.socket(fileno=3), 4, settings["seed"])
    finally:
        os._exit(0)


def become_bash(settings: dict[str, Any], command: str, writing: int) -> NoReturn:
    """Run a command in bash, and send all its output to one descriptor."""
    try:
        leave_keeper(settings)
        nothing = os.open("/dev/null", os.O_RDONLY)
        for source, target in ((nothing, 0), (writing, 1), (writing, 2)):
            os.dup2(source, target)
        os.execvp(BASH[0], [*BASH, command])
    except (OSError, ValueError) as error:
        os.write(2, f"bash cannot be started: {error}\n".encode())
    finally:
        os._exit(127)


def become(settings: dict[str, Any], command: tuple[str, ...], kept: int) -> NoReturn:
    """Run a program and discard its output. The program inherits the descriptor `kept` if it is not negative."""
    try:
        leave_keeper(settings)
        nothing = os.open("/dev/null", os.O_RDWR)
        for number in range(3):
            os.dup2(nothing, number)
        if kept >= 0:
            os.set_inheritable(kept, True)
        os.execvp(command[0], command)
    finally:
        os._exit(127)


def leave_keeper(settings: dict[str, Any]) -> None:
    """Detach this process from the session's keeper, with separate signals, limits and rights."""
    os.setsid()
    os.nice(5)  # prefer killing it to the keeper and the server
    confine.limit_processes(settings["most_processes"])
    linux.set_dumpable(True)  # unlike the keeper itself, which must be unreadable
    for number in (*processes.IGNORED, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    if settings["separate"]:
        confine.separate(settings["separate"])
    if settings["pretend"]:
        calls.pretend()
