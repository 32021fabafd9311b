"""Reading and writing a session's files for the server, with no more rights than the session has."""

import contextlib
import errno
import os
import stat
import tempfile
from collections.abc import Iterable
from typing import Any

import frames

CLOCK = 1_704_067_200
"""2024-01-01: the time of the files that a session begins with, so that listings are alike."""


def place(files: Iterable[dict[str, str]]) -> None:
    """Write the files that a session begins with, each as {path, data}, all with the same time."""
    folders = {"."}
    for file in files:
        path = file["path"]
        answer = write(path, file["data"])
        if "failure" in answer:
            raise OSError(answer["errno"], answer["failure"], path)
        os.utime(path, (CLOCK, CLOCK))
        while path := os.path.dirname(path):
            folders.add(path)
    for folder in sorted(folders, reverse=True):
        os.utime(folder, (CLOCK, CLOCK))


def write(path: str, data: str) -> dict[str, Any]:
    """Write a file, given as base64: whole, or not at all and the file that was there stays."""
    part = ""
    try:
        folder = os.path.dirname(path) or "."
        os.makedirs(folder, exist_ok=True)
        mode = _mode(path)
        descriptor, part = tempfile.mkstemp(dir=folder, prefix=".part-")
        with open(descriptor, "wb") as file:
            file.write(frames.decoded(data))
            os.fchmod(descriptor, mode)  # not by its name, which may be another file's by now
        # In the place of whatever is there: a pipe that nobody reads, a link to somewhere else.
        os.replace(part, path)
        part = ""
    except OSError as error:
        return {"failure": error.strerror, "errno": error.errno}
    except ValueError:
        return {"failure": "this is not a valid path", "errno": errno.EINVAL}
    finally:
        if part:
            with contextlib.suppress(OSError):
                os.unlink(part)
    return {}


def _mode(path: str) -> int:
    """Permissions of the file that is there, for a program that is written again."""
    with contextlib.suppress(OSError):
        found = os.lstat(path).st_mode
        if stat.S_ISREG(found):
            return stat.S_IMODE(found)
    return 0o644


def place_one(path: str, data: str) -> dict[str, Any]:
    """Place a file as a session begins with it, in one that was opened before it was asked for."""
    try:
        place([{"path": path, "data": data}])
    except OSError as error:
        return {"failure": f"{path} cannot be placed: {error}"}
    return {}


def read(path: str, limit: int) -> dict[str, Any]:
    """The beginning of a file as base64, or None where there is none to be read.

    Nothing of /proc: of that this process sees more than the session's programs do.
    """
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            found = os.fstat(file.fileno())
            if stat.S_ISREG(found.st_mode) and found.st_dev != os.stat("/proc").st_dev:
                return {"data": frames.encoded(file.read(limit))}
    except (OSError, ValueError):
        pass  # the agent could not read it either
    return {"data": None}
