"""Resources of a session's processes that are neither the processes' own memory nor named files.

These resources exist as long as one process keeps them. The sum of the memory of all processes does not
include them.
"""

import contextlib
import os
from collections.abc import Iterable, Iterator

SOCKET = 212_992
"""Bytes that a socket may buffer, by Linux's default: net.core.wmem_default, socket(7)."""
PIPE = 65_536
"""Bytes that a pipe may buffer, by Linux's default: pipe(7)."""
SHARED = "/dev/zero (deleted)"
"""The name of shared memory in /proc/PID/maps."""


class Hidden(Exception):
    """Raised because the code of a running process prevents an inspection of the process."""


def buffers(processes: list[int]) -> int:
    """Return the bytes that the sockets and pipes of processes may buffer. Raise Hidden if a process is unreadable."""
    found = set()
    for descriptor in descriptors(processes):
        with contextlib.suppress(OSError):
            found.add(os.readlink(descriptor))
    sizes = (("socket:", SOCKET), ("pipe:", PIPE))
    return sum(size for name in found for kind, size in sizes if name.startswith(kind))


def descriptors(processes: Iterable[int]) -> Iterator[str]:
    """Yield the paths below /proc of processes' open files. Raise Hidden if a process is unreadable.

    This includes the files of each thread, because a thread may have its own files and outlive the first thread.
    """
    for pid, thread in _threads(processes):
        folder = f"/proc/{pid}/task/{thread}/fd"
        numbers = []
        with _looking_into(pid, thread):
            numbers = os.listdir(folder)
        yield from (f"{folder}/{number}" for number in numbers)


def mapped(processes: Iterable[int]) -> set[tuple[int, int, str]]:
    """Return device, inode and former path of unnamed mapped files. Raise Hidden if a process is unreadable.

    All threads of a process share their mappings. If the first thread has ended, only the other threads show
    them.
    """
    found, seen = set(), set()
    for pid, thread in _threads(processes):
        if pid in seen:
            continue
        text = b""
        with _looking_into(pid, thread), open(f"/proc/{pid}/task/{thread}/maps", "rb") as file:
            text = file.read()
        if text:
            seen.add(pid)
        for line in text.split(b"\n") if b" (deleted)" in text else ():
            if line.endswith(b" (deleted)"):
                _, _, _, device, inode, path = line.split(None, 5)
                major, minor = device.split(b":")
                number = os.makedev(int(major, 16), int(minor, 16))
                found.add((number, int(inode), os.fsdecode(path)))
    return found


def _threads(processes: Iterable[int]) -> Iterator[tuple[int, str]]:
    for pid in processes:
        with contextlib.suppress(OSError):
            yield from ((pid, thread) for thread in os.listdir(f"/proc/{pid}/task"))


@contextlib.contextmanager
def _looking_into(pid: int, thread: str) -> Iterator[None]:
    try:
        yield
    except PermissionError:
        with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/status", "rb") as file:
            if (
                b"VmRSS:" in file.read()
            ):  # otherwise it is about to be gone, and has no memory anymore
                raise Hidden from None
    except OSError:
        pass  # it has ended
