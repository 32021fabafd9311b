"""A session's folder on the machine's own disk: its size, and its removal.

This module is used only if sessions have no file system of their own. An agent may nest folders too deep for
any path, or remove its own access to folders.
"""

import contextlib
import itertools
import os
import secrets
import stat

from . import held

LEAST = 4096
"""Minimum bytes that each file counts for, because a million empty files also fill a disk."""
MAPPED = 4
"""Unnamed files that a session may map without having them open; each counts as 1/4 of the disk."""


def used(folder: str, processes: list[int], most: int) -> float:
    """Return the size of a folder's files, and of the unnamed files that some processes have open.

    Return infinity if the session's own code prevents a measurement. A file that is only mapped counts as a fixed
    part of `most`. Raises held.Hidden.
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
        if path.startswith(f"{folder}/"):  # of unknown size, which cannot be queried
            nameless.setdefault((device, inode), most // MAPPED)
    return total + sum(nameless.values())


def remove(folder: str) -> None:
    """Remove a folder and everything in it, without following links. Skip files that cannot be removed."""
    names = (f"{secrets.token_hex(8)}-{number}" for number in itertools.count())
    with contextlib.suppress(OSError):
        top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            # The contents of a folder move up into the first one, so that no path becomes long.
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
    """Remove everything except folders from a folder. Return the names of the remaining folders."""
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
    """Grant this process access to a folder that the session made inaccessible."""
    flags = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(name, flags, dir_fd=parent)
    try:
        os.chmod(f"/proc/self/fd/{descriptor}", 0o700)
    finally:
        os.close(descriptor)
