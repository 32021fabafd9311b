"""A session's folder on the machine's own disk: how much is in it, and its removal.

Only where sessions have no file system
of their own. An agent may nest folders deeper than a path can name, or close them to itself.
"""

import contextlib
import itertools
import os
import secrets
import stat

from . import held

LEAST = 4096
"""Bytes that a file counts for at least: a million empty ones fill a disk as well."""
MAPPED = 4
"""Files without a name that a session may map and not have open, by their part of the disk."""


def used(folder: str, processes: list[int], most: int) -> float:
    """Bytes of all files in a folder, and of those that some processes have open without a name.

    Infinite where something cannot be measured, because the session's own code has seen to that.
    What is only mapped counts a part of `most`. Raises held.Hidden.
    """
    total, waiting = 0, [folder]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    with contextlib.suppress(FileNotFoundError):
                        total += max(LEAST, entry.stat(follow_symlinks=False).st_blocks * 512)
        except (FileNotFoundError, NotADirectoryError):
            pass  # removed meanwhile
        except OSError:
            return float("inf")
    nameless = {}
    for descriptor in held.descriptors(processes):
        with contextlib.suppress(OSError):
            found = os.stat(descriptor)
            if stat.S_ISREG(found.st_mode) and not found.st_nlink:
                nameless[found.st_dev, found.st_ino] = found.st_blocks * 512
    for device, inode, path in held.mapped(processes):
        if path.startswith(f"{folder}/"):  # whatever its size, which cannot be asked for
            nameless.setdefault((device, inode), most // MAPPED)
    return total + sum(nameless.values())


def remove(folder: str) -> None:
    """Remove a folder and all in it, without following a link; leaves what it cannot remove."""
    names = (f"{secrets.token_hex(8)}-{number}" for number in itertools.count())
    with contextlib.suppress(OSError):
        top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            # What is in a folder moves up into the first one, so that no path gets long.
            waiting = _emptied(top)
            while waiting:
                name = waiting.pop()
                with contextlib.suppress(OSError):
                    inner = _opened(name, top)
                    try:
                        for below in _emptied(inner):
                            _open_up(below, inner)
                            moved = next(names)
                            os.rename(below, moved, src_dir_fd=inner, dst_dir_fd=top)
                            waiting.append(moved)
                    finally:
                        os.close(inner)
                    os.rmdir(name, dir_fd=top)
        finally:
            os.close(top)
        os.rmdir(folder)


def _emptied(folder: int) -> list[str]:
    """Remove what is not a folder from one; returns the names of the folders in it."""
    folders = []
    with os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.name)
                else:
                    os.unlink(entry.name, dir_fd=folder)
    return folders


def _opened(name: str, parent: int) -> int:
    _open_up(name, parent)
    return os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=parent)


def _open_up(name: str, parent: int) -> None:
    """Let this process into a folder that somebody closed."""
    flags = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(name, flags, dir_fd=parent)
    try:
        os.chmod(f"/proc/self/fd/{descriptor}", 0o700)
    finally:
        os.close(descriptor)
