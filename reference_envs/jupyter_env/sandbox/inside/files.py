"""Reading and writing a session's files for the server, with no more rights than the session has.

Rendered from env.yaml; `skill-tools render` overwrites it.
"""

import os
import stat
from typing import Any

import frames

CLOCK = 1_704_067_200
"""2024-01-01: the time of the files that a session begins with, so that listings are alike."""


def place(contents: dict[str, str]) -> None:
    """Write the files that a session begins with into the working directory."""
    folders = {"."}
    for path, data in contents.items():
        answer = write(path, data)
        if "failure" in answer:
            raise OSError(answer["failure"])
        os.utime(path, (CLOCK, CLOCK))
        while path := os.path.dirname(path):
            folders.add(path)
    for folder in sorted(folders, reverse=True):
        os.utime(folder, (CLOCK, CLOCK))


def write(path: str, data: str) -> dict[str, Any]:
    """Write a file, given as base64, below the working directory or where the path says."""
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        # The session's processes may have put a pipe there, which nobody reads.
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NONBLOCK
        with open(os.open(path, flags, 0o644), "wb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return {"failure": f"{path} is not a file"}
            file.write(frames.decoded(data))
    except OSError as error:
        return {"failure": f"{path}: {error.strerror}"}
    return {}


def read(path: str, limit: int) -> dict[str, Any]:
    """The beginning of a file as base64, or None where there is none to be read."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return {"data": frames.encoded(file.read(limit))}
    except (OSError, ValueError):
        pass  # the agent could not read it either
    return {"data": None}
