"""What a session's processes hold that is neither memory of their own nor a file with a name.

It is there as long as one of them keeps
it, and no sum of what processes use has it.
"""

import contextlib
import os
from collections.abc import Iterable, Iterator

SOCKET = 212_992
"""Bytes that may wait in a socket, by Linux's default: net.core.wmem_default, socket(7)."""
PIPE = 65_536
"""Bytes that may wait in a pipe, by Linux's default: pipe(7)."""
SHARED = "/dev/zero (deleted)"
"""What /proc/PID/maps calls memory that processes share."""


class Hidden(Exception):
    """A process cannot be looked into, though it lives: its own code has seen to that."""


def buffers(processes: list[int]) -> int:
    """Bytes that may wait in the sockets and pipes of processes. Raises Hidden."""
    found = set()
    for descriptor in descriptors(processes):
        with contextlib.suppress(OSError):
            found.add(os.readlink(descriptor))
    sizes = (("socket:", SOCKET), ("pipe:", PIPE))
    return sum(size for name in found for kind, size in sizes if name.startswith(kind))


def descriptors(processes: Iterable[int]) -> Iterator[str]:
    """Paths to the open files of processes, below /proc. Raises Hidden.

    Of each thread, as one may have files of its own, and continue when the first has ended.
    """
    for pid, thread in _threads(processes):
        folder = f"/proc/{pid}/task/{thread}/fd"
        numbers = []
        with _looking_into(pid, thread):
            numbers = os.listdir(folder)
        yield from (f"{folder}/{number}" for number in numbers)


def mapped(processes: Iterable[int]) -> set[tuple[int, int, str]]:
    """Device, inode and former path of files without a name that processes map. Raises Hidden.

    All threads of a process map the same, but the first has nothing to show when it has ended.
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
            if b"VmRSS:" in file.read():  # else it is about to be gone, and has no memory anymore
                raise Hidden from None
    except OSError:
        pass  # it has ended
