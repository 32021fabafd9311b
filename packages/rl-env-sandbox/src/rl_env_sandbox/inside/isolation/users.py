"""Separate users for sessions, so that no session can access the processes or files of another session."""

import contextlib
import os
import sys

from . import linux

INSIDE = 1000
"""The id of every session's user within a user namespace."""

READING = (linux.CAP_DAC_READ_SEARCH, linux.CAP_DAC_OVERRIDE)
"""Capabilities for reading files regardless of permissions, the weakest first."""


def new() -> int:
    """Return a user id that nothing else uses."""
    return 0x10000000 | int.from_bytes(os.urandom(4), "big") >> 4


def map_into_namespace(process: str, user: tuple[int, int], group: tuple[int, int]) -> None:
    """Map the user and group of a process into a new user namespace. Each pair has the ids inside and outside."""
    with contextlib.suppress(FileNotFoundError), open(f"/proc/{process}/setgroups", "w") as file:
        file.write("deny")
    for kind, (inside, outside) in (("gid", group), ("uid", user)):
        with open(f"/proc/{process}/{kind}_map", "w") as file:
            file.write(f"{inside} {outside} 1")


def find(packages: str, able: tuple[int, ...]) -> tuple[bool, int | None]:
    """Return whether sessions can have their own users, and the capability that these users need to read Python.

    Args:
        packages: The folder with the packages that sessions import.
        able: The capabilities that the users may keep. Only root can read a Python in /root, unless a user keeps
            one of the capabilities in READING.
    """
    for kept in (None, *able):
        if _reads_as(new(), kept, packages):
            return True, kept
    return False, None


def _reads_as(user: int, kept: int | None, packages: str) -> bool:
    child = os.fork()
    if child == 0:
        code = 1
        with contextlib.suppress(OSError):
            linux.change_user(user, user, kept)
            needed = [os.path.join(packages, name) for name in os.listdir(packages)]
            for path in (os.path.realpath(sys.executable), os.__file__, *needed):
                os.close(os.open(path, os.O_RDONLY))
            code = 0
        os._exit(code)
    return os.waitpid(child, 0)[1] == 0
