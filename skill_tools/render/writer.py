"""Write a plan to a folder without losing the user's edits.

The lock file records a hash of every file as it was written. A file is *clean* if it matches the plan. It is
*stale* if it matches an earlier rendering but not the current plan, so that rewriting it is safe. It is
*edited* if it was changed after it was written. An edited file is rewritten only with force, and a backup is
kept. Different line endings do not count.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from skill_tools import __version__
from skill_tools.errors import Remedy, RenderError
from skill_tools.files import write_whole
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.render import wheel
from skill_tools.render.plan import inside
from skill_tools.spec.model import RENDERED_FOLDERS, EnvSpec

LOCK_FILE = "env.lock.json"
YIELDS = frozenset({".gitattributes"})
"""Planned files that an author may replace or change: the author's version stays, as skill-tools never reads it."""
BUNDLED = "_bundle"
"""The folder in a deployment that holds the bundle; files that are no longer in the bundle are removed."""
State = Literal["clean", "new", "stale", "edited", "missing", "orphan", "kept"]

NOTES: dict[State, str] = {
    "edited": " (overwritten; your version is kept next to it, as .orig)",
    "kept": " (no longer planned, but edited: delete it by hand)",
}
"""Notes on a file in a state that may need action."""


@dataclass(frozen=True)
class FileState:
    """One file of a plan and its state on disk.

    Attributes:
        state: clean, stale and edited are described at the top of this module. A new file does not exist yet. A
            missing file was deleted after it was written. An orphan is unchanged but no longer in the plan. A
            kept file is edited and no longer in the plan.
    """

    path: str
    state: State


@dataclass(frozen=True)
class Rendering:
    """The states of the examined files before a rendering, and whether the rendering was ``written``."""

    spec: EnvSpec
    files: tuple[FileState, ...]
    written: bool

    @property
    def changes(self) -> tuple[FileState, ...]:
        """The files that differ from the spec's plan, or differed before the rendering."""
        return tuple(file for file in self.files if file.state != "clean")


def states(folder: Path, plan: Mapping[str, str | bytes]) -> list[FileState]:
    """Compare a plan with the folder, without writing. Raises RenderError for a broken lock file."""
    written = _read_lock(folder)
    found = [FileState(path, _state(folder, path, plan[path], written)) for path in plan]
    found = [item for item in found if item.state != "edited" or item.path not in YIELDS]
    for path in written:
        target = inside(folder, path)
        # Only names that can be ours: a lock file must not make us remove the author's files.
        named = path.split("/")[0] in (*FRAMEWORKS, *RENDERED_FOLDERS, BUNDLED) and "/" in path
        if path not in plan and named and target.is_file():
            ours = _digest(target.read_bytes()) == written[path]
            found.append(FileState(path, "orphan" if ours else "kept"))
    return found


def refuse_edited(
    folder: Path,
    plan: Mapping[str, str | bytes],
    *,
    force: bool = False,
    only: Collection[str] | None = None,
) -> list[FileState]:
    """Return the states of a plan's files.

    If files were edited and ``force`` is not set, raises RenderError with the names of the edited files. Always
    raises RenderError if the domain imports ``.sandbox``, which the rl_env_sandbox wheel replaces.
    """
    if wheel.SANDBOX.path in plan:
        wheel.refuse_former(folder)
    found = [item for item in states(folder, plan) if only is None or item.path in only]
    edited = [item.path for item in found if item.state == "edited"]
    if edited and not force:
        raise RenderError(
            f"edited by hand, so not overwritten: {', '.join(edited)}\n"
            "    fix: move the change to the domain or env.yaml; force overwrites these files and keeps a backup",
            remedy=Remedy("render", folder, force=True),
        )
    return found


def refuse_unwritable(folder: Path, files: Collection[FileState]) -> None:
    """Raise RenderError if a file of the plan must be written but there is no write access."""
    for file in files:
        if file.state in ("clean", "kept"):
            continue
        near = next(p for p in inside(folder, file.path).parents if p.exists() or p == folder)
        for place in (near, folder):
            if not os.access(place, os.W_OK | os.X_OK):
                raise RenderError(
                    f"{place} cannot be written, and {file.path} is {file.state}: nothing was written\n"
                    "    fix: make it writable, or work on a copy of the environment; `check` and "
                    "variants that are already rendered do not need write access"
                )


def on_request(folder: Path) -> list[str]:
    """Return the frameworks that were rendered in this folder although env.yaml does not name them.

    Deleting a variant's folder withdraws the request. Raises RenderError for a broken lock file.
    """
    named = _lock(folder).get("on_request", [])
    return [name for name in FRAMEWORKS if name in named and (folder / name).is_dir()]


def write(
    folder: Path,
    spec: EnvSpec,
    plan: Mapping[str, str | bytes],
    *,
    force: bool = False,
    only: Collection[str] | None = None,
    requested: Collection[str] = (),
) -> list[FileState]:
    """Make the folder match the plan, completely or not at all. Return the previous states of the files.

    If ``only`` is given, all other paths stay unchanged, on disk and in the lock file. ``requested`` are the
    frameworks of the plan that env.yaml does not name; the lock file records them.

    If a planned file was edited and ``force`` is not set, writes nothing and raises RenderError. With ``force``,
    the edited text is kept next to the file as ``<name>.orig``.
    """
    before = refuse_edited(folder, plan, force=force, only=only)
    refuse_unwritable(folder, before)
    written = _read_lock(folder)
    edited = [item.path for item in before if item.state == "edited"]
    if to_write := [item.path for item in before if item.state in _TO_WRITE]:
        with tempfile.TemporaryDirectory(prefix=".render-", dir=folder) as scratch:
            staged = {}
            for number, path in enumerate(to_write):
                staged[path] = Path(scratch) / str(number)
                staged[path].write_bytes(_bytes(plan[path]))
            for path, source in staged.items():
                target = inside(folder, path)
                if path in edited:
                    shutil.copy2(target, _backup(target))
                target.parent.mkdir(parents=True, exist_ok=True)
                source.replace(target)
    for item in before:
        if item.state == "orphan":
            _remove(folder, inside(folder, item.path))
    looked_at = {item.path for item in before}
    ours = {path: _digest(_bytes(plan[path])) for path in plan if path in looked_at}
    # Kept files stay on record, so that they are still reported as left over.
    kept = {item.path: written[item.path] for item in before if item.state == "kept"}
    _write_lock(folder, spec, kept | ours if only is None else written | ours, requested)
    return before


_TO_WRITE = ("new", "stale", "edited", "missing")


def _state(folder: Path, path: str, content: str | bytes, written: Mapping[str, str]) -> State:
    target = inside(folder, path)
    for parent in target.parents:
        if parent == folder:
            break
        if parent.exists() and not parent.is_dir():
            raise RenderError(
                f"{parent} is not a folder, but skill-tools must create a folder with that name"
            )
    if not target.exists():
        return "missing" if path in written else "new"
    if not target.is_file():
        raise RenderError(
            f"{target} is not a file, but skill-tools must write a file with that name"
        )
    digest = _digest(target.read_bytes())
    if digest == _digest(_bytes(content)):
        return "clean"
    return "stale" if digest == written.get(path) else "edited"


def _read_lock(folder: Path) -> dict[str, str]:
    files: dict[str, str] = _lock(folder).get("files", {})
    return files


def _lock(folder: Path) -> dict[str, Any]:
    path = folder / LOCK_FILE
    if not path.exists():
        return {}
    try:
        lock = json.loads(path.read_text("utf-8"))
        files = {str(name): str(digest) for name, digest in lock["files"].items()}
        return {"files": files, "on_request": list(lock.get("on_request", []))}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        fix = "restore it from version control, or delete it and render with force"
        raise RenderError(
            f"{path} is not a lock file from a rendering: {error!r}\n    fix: {fix}",
            remedy=Remedy("render", folder, force=True),
        ) from error


def _write_lock(
    folder: Path, spec: EnvSpec, digests: Mapping[str, str], requested: Collection[str]
) -> None:
    lock = {
        "renderer": __version__,
        # Bounds only concern checks.
        "spec": _digest(spec.model_dump_json(exclude={"bounds"}).encode()),
        "files": dict(sorted(digests.items())),
    }
    if requested:
        lock["on_request"] = [name for name in FRAMEWORKS if name in requested]
    text = json.dumps(lock, indent=2) + "\n"
    path = folder / LOCK_FILE
    if not path.exists() or path.read_text("utf-8") != text:
        write_whole(path, text)


def _bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


def _digest(content: bytes) -> str:
    """Return a digest that ignores line endings, because a Git checkout may change line endings."""
    if b"\0" not in content:
        content = content.replace(b"\r\n", b"\n")
    return hashlib.sha256(content).hexdigest()


def _backup(target: Path) -> Path:
    backup, number = target.with_name(target.name + ".orig"), 1
    while backup.exists():
        number += 1
        backup = target.with_name(f"{target.name}.orig{number}")
    return backup


def _remove(folder: Path, target: Path) -> None:
    target.unlink()
    for parent in target.parents:
        if parent == folder or any(parent.iterdir()):
            return
        parent.rmdir()
