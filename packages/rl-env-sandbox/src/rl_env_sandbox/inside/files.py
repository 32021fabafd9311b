"""Functions that read and write a session's files for the server, with no more rights than the session has."""

import contextlib
import errno
import os
import stat
import tempfile
from collections.abc import Iterable
from typing import Any

import frames

CLOCK = 1_704_067_200
"""2024-01-01: the time of a session's first files, so that listings are equal."""


def place(files: Iterable[dict[str, str]]) -> None:
    """Write a session's first files, which are given as {path, data}. All files get the same modification time."""
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
    """Write a file from base64 data. If the file cannot be written completely, keep the existing file."""
    part = ""
    try:
        folder = os.path.dirname(path) or "."
        os.makedirs(folder, exist_ok=True)
        mode = _mode(path)
        descriptor, part = tempfile.mkstemp(dir=folder, prefix=".part-")
        with open(descriptor, "wb") as file:
            file.write(frames.decoded(data))
            os.fchmod(descriptor, mode)  # not by its name, which may be another file's by now
        # Replace whatever is there: a pipe without a reader, a link to another place.
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
    """Return the permissions of an existing file, so that an overwritten program stays executable, or else 0o644."""
    with contextlib.suppress(OSError):
        found = os.lstat(path).st_mode
        if stat.S_ISREG(found):
            return stat.S_IMODE(found)
    return 0o644


def place_one(path: str, data: str) -> dict[str, Any]:
    """Write one of an episode's first files into a session that was opened in advance."""
    try:
        place([{"path": path, "data": data}])
    except OSError as error:
        return {"failure": f"{path} cannot be placed: {error}"}
    return {}


def read(path: str, limit: int) -> dict[str, Any]:
    """Return the beginning of a file as base64, or None if the file cannot be read.

    Files in /proc are excluded, because this process can read more of /proc than the session's programs.
    """
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            found = os.fstat(file.fileno())
            if stat.S_ISREG(found.st_mode) and found.st_dev != os.stat("/proc").st_dev:
                return {"data": frames.encoded(file.read(limit))}
    except (OSError, ValueError):
        pass  # the agent could not read it either
    return {"data": None}
