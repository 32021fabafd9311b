"""The folders that skill-tools uses outside environments: the user's own folders or, if these are not writable,
private folders.
"""

from __future__ import annotations

import logging
import os
import stat
import tempfile
import threading
import uuid
from contextlib import suppress
from pathlib import Path
from typing import Literal

from skill_tools.errors import SkillToolsError

Kind = Literal["cache", "data", "uv", "uv-python"]
CHOSEN = {
    "cache": "SKILL_TOOLS_CACHE",
    "data": "SKILL_TOOLS_DATA",
    "uv": "UV_CACHE_DIR",
    "uv-python": "UV_PYTHON_INSTALL_DIR",
}
"""Variables that name a folder; a folder that a user named is either used or refused, never replaced."""
NO_HOME = "HOME is not set"
_log = logging.getLogger("skill_tools")
_lock = threading.RLock()
_found: dict[tuple[str, str], Path] = {}
_reported: set[Path] = set()
_made: dict[str, Path] = {}


def place(kind: Kind) -> Path:
    """Return a writable folder for one kind of files; the folder is created if needed.

    The folder is in ``private_folder`` if the user's own folder cannot be written, for example in a container
    with an arbitrary user id. In that case a message says so once. Raises SkillToolsError if a variable names a
    folder that cannot be written.
    """
    wanted = usual(kind)
    with _lock:
        key = (kind, str(wanted))
        if key not in _found or not _found[key].is_dir():
            _found[key] = _usable(kind, wanted)
        return _found[key]


def usual(kind: Kind) -> Path | None:
    """Return the user's folder for this kind of files, or None if neither HOME nor a variable determines it."""
    from platformdirs import user_cache_dir, user_data_dir

    named = os.environ.get(CHOSEN[kind])
    if not named:
        app = "uv" if kind.startswith("uv") else "rl-env-skills"
        data = kind in ("data", "uv-python")
        # A missing HOME is not created: it is /nonexistent for some users.
        if not (_own_home() or os.environ.get("XDG_DATA_HOME" if data else "XDG_CACHE_HOME")):
            return None
        named = (user_data_dir if data else user_cache_dir)(app)
        named += "/python" if kind == "uv-python" else ""
    return Path(os.path.expanduser(named)).absolute()  # noqa: PTH111 - it never raises


def private_folder() -> Path:
    """Return a folder that only this user can write, below the temporary folder. It is the same in every process.

    If another user owns a folder of that name, or the name is a link, this process uses a new folder.
    """
    base = Path(tempfile.gettempdir())
    with _lock:
        if str(base) not in _made or not _made[str(base)].is_dir():
            folder = base / f"skill-tools-{_user()}"
            with suppress(OSError):
                folder.mkdir(mode=0o700)
            _made[str(base)] = (
                folder if _ours_alone(folder) else Path(tempfile.mkdtemp(prefix="skill-tools-"))
            )
        return _made[str(base)]


def refusal(folder: Path) -> str:
    """Create a folder if needed. Return the reason why nothing can be written to it, or ""."""
    probe = folder / f".probe-{uuid.uuid4().hex}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Try it, because permissions are not enough: a file system may be read-only, or full.
        probe.touch()
        probe.unlink()
    except OSError as error:
        return error.strerror or str(error)
    return ""


def for_uv(kind: Kind, *, reading: bool = False) -> dict[str, str]:
    """Return environment variables that give uv a writable folder, or a readable folder if ``reading`` is true.
    Return {} if uv's default works.
    """
    wanted = usual(kind)
    if reading and wanted and os.path.isdir(wanted):  # noqa: PTH112 - it never raises
        return {}
    found = place(kind)
    return {CHOSEN[kind]: str(found)} if found != wanted else {}


def home() -> dict[str, str]:
    """Return variables with a different HOME if the user's HOME is read-only, because frameworks store files in
    HOME."""
    own = _own_home()
    written = [own, own / ".cache"] if own else []
    if own and all(os.access(f, os.W_OK | os.X_OK) for f in written if f == own or f.is_dir()):
        return {}
    folder = private_folder() / "home"
    folder.mkdir(exist_ok=True)
    return {"HOME": str(folder)}


def _own_home() -> Path | None:
    """Return the user's HOME, or None if it does not exist, for example because the user id has no user name."""
    own = os.path.expanduser("~")  # noqa: PTH111 - it never raises
    return Path(own) if os.path.isabs(own) and os.path.isdir(own) else None  # noqa: PTH112, PTH117


def _usable(kind: Kind, wanted: Path | None) -> Path:
    why = refusal(wanted) if wanted else NO_HOME
    if wanted and not why:
        return wanted
    if os.environ.get(CHOSEN[kind]):
        raise SkillToolsError(
            f"{CHOSEN[kind]} is {wanted}, which cannot be written: {why}\n"
            "    fix: name a writable folder, or unset it"
        )
    private = private_folder()
    folder = private / kind
    folder.mkdir(exist_ok=True)
    if private not in _reported:
        _reported.add(private)
        what = f"{wanted} cannot be written ({why})" if wanted else why
        _log.warning("%s: %s is used instead, which may not persist", what, private)
    return folder


def _ours_alone(folder: Path) -> bool:
    try:
        found = folder.lstat()
    except OSError:
        return False
    if os.name == "nt":
        return stat.S_ISDIR(found.st_mode)
    return (
        stat.S_ISDIR(found.st_mode)
        and found.st_uid == os.getuid()
        and not stat.S_IMODE(found.st_mode) & 0o077
    )


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else "user"
