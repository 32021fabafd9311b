"""The trajectory file of a rollout, with one line per episode."""

import json
import os
import tempfile
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

PLACE = ("model", "split", "index", "task_id", "seed", "max_turns", "sample")
"""Fields that identify an episode within a file."""
SETTINGS = ("environment", "framework", "sampling")
"""Fields that all episodes of a file share."""


class WrongFile(ConnectionError):
    """Raised when a file cannot be continued, because it holds other data or was played with other settings."""


class FullFile(ConnectionError):
    """Raised when no more lines can be written to a file."""


def new_file(folder: Path, name: str) -> Path:
    """Create an empty file with a unique name, even if several rollouts start in the same second."""
    stem, number = time.strftime(f"{name}-%Y%m%d-%H%M%S"), 1
    while True:
        path = folder / (f"{stem}.jsonl" if number == 1 else f"{stem}-{number}.jsonl")
        try:
            path.open("x").close()
        except FileExistsError:
            number += 1
        else:
            return path


def place(line: dict[str, Any]) -> str:
    """Return the identity of a line's episode as JSON text, because a task's id may be any JSON data."""
    return json.dumps([line.get(name, 0 if name == "sample" else None) for name in PLACE])


def begin(path: Path, resume: bool) -> tuple[TextIO, list[dict[str, Any]]]:
    """Open a file for appending, and return its existing lines, except lines of failed episodes.

    Failed episodes are retried. Their lines move to FILE-failed.jsonl, so that no line is lost or counted twice.
    A truncated line is dropped. Raises WrongFile if the file cannot be continued.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        output = _taken(path)
        if resume:
            return _continued(path, output)
        if not path.stat().st_size:
            return output, []
    except (OSError, UnicodeDecodeError) as error:
        raise error if isinstance(error, WrongFile) else WrongFile(f"{path}: {error}") from error
    raise WrongFile(f"{path} is not empty; name a new file with --output, or add --resume")


def _continued(path: Path, output: TextIO) -> tuple[TextIO, list[dict[str, Any]]]:
    lines = path.read_text("utf-8").split("\n")
    kept, failed = {}, []
    for number, text in enumerate(lines, 1):
        try:
            line = json.loads(text) if text else None
        except ValueError as error:
            if number == len(lines):
                continue  # it was being written
            raise WrongFile(f"{path}, line {number} is not a trajectory: {error}") from error
        if isinstance(line, dict) and "end" in line:
            if line["end"] == "failed":
                failed.append(text)
            else:
                kept[place(line)] = text
        elif line is not None:
            raise WrongFile(f"{path}, line {number} is not a trajectory")
    if failed:
        _set_aside(path.with_name(f"{path.stem}-failed.jsonl"), failed)
    if len(kept) + 1 < len(lines) or lines[-1]:
        _replace(path, kept.values())
        output.close()
        output = _taken(path)
    return output, [json.loads(text) for text in kept.values()]


def _set_aside(path: Path, lines: list[str]) -> None:
    before = path.read_text("utf-8") if path.exists() else ""
    known = set(before.split("\n"))
    with path.open("a", encoding="utf-8") as file:
        file.write("\n" if before and before[-1] != "\n" else "")  # truncated by a kill
        file.writelines(f"{text}\n" for text in lines if text not in known)


def check(path: Path, lines: Iterable[dict[str, Any]], wanted: dict[str, Any]) -> None:
    """Raise WrongFile if some of the file's lines were played with other settings."""
    for line in lines:
        for name in SETTINGS:
            if line.get(name) != wanted[name]:
                raise WrongFile(
                    f"{path} was played with {name} {line.get(name)!r}, not {wanted[name]!r}; "
                    "name a new file with --output"
                )


def add(output: TextIO, *lines: str, synced: bool = False) -> None:
    """Add all lines, and wait for the disk if ``synced``. If that fails, raise FullFile and add no line."""
    # Bypass the file's buffer, which would keep what the disk rejects, and write it later.
    number, left = output.fileno(), memoryview("".join(f"{line}\n" for line in lines).encode())
    before = os.fstat(number).st_size
    try:
        while left:
            left = left[os.write(number, left) :]
        if synced:  # some disks report only here that they are full
            os.fsync(number)
    except OSError as error:
        with suppress(OSError):  # it is not a file on a disk
            os.ftruncate(number, before)
        raise FullFile(
            f"{output.name} cannot be written any further: {error.strerror}; its lines are complete: "
            "free some space, and continue with --resume"
        ) from error


def _taken(path: Path) -> TextIO:
    """Open a file for appending, and lock it. Raises WrongFile if another rollout has locked it."""
    output = path.open("a", encoding="utf-8")
    try:
        import fcntl

        fcntl.flock(output, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # not on Windows
        pass
    except OSError as error:
        output.close()
        raise WrongFile(f"{path} is being written by another rollout") from error
    if not path.exists() or os.fstat(output.fileno()).st_ino != path.stat().st_ino:
        output.close()  # another process has replaced it meanwhile
        raise WrongFile(f"{path} is being written by another rollout")
    return output


def _replace(path: Path, lines: Iterable[str]) -> None:
    """Replace a file atomically, so that an interruption leaves either the old file or the new file."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    with os.fdopen(handle, "w", encoding="utf-8") as output:
        output.writelines(f"{line}\n" for line in lines)
    Path(name).chmod(path.stat().st_mode & 0o777)
    Path(name).replace(path)
