"""Consent: the environment folders whose code the user agreed to run.

Consent is stored in the user's data folder, never in an environment, because a folder must not approve
itself.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from skill_tools.errors import SkillToolsError
from skill_tools.files import write_whole
from skill_tools.runtime import places

_FILE = "approved.json"
_approved_here: set[str] = set()
"""Folders approved in this process; the only record if the data folder cannot be written."""


def data_folder() -> Path:
    """Return the folder that stores consent: SKILL_TOOLS_DATA, or a folder in the user's data; see ``places``."""
    return places.place("data")


def approved(folder: Path) -> bool:
    """Return whether the user agreed to run the code in exactly this folder."""
    key = os.path.realpath(folder)
    return key in _approved_here or any(key in _read(store) for store in _stores())


def approve(folder: Path) -> Path:
    """Record that the user agreed to run the code in this folder, and return the folder.

    If the data folder cannot be written, the consent holds only for this process.
    """
    from filelock import FileLock

    key = os.path.realpath(folder)
    _approved_here.add(key)
    # A read-only data folder must not prevent a build.
    with suppress(OSError, SkillToolsError):
        store = data_folder()
        with FileLock(store / f"{_FILE}.lock", timeout=10):
            # Temporary environments come and go; a deleted one needs no consent.
            kept = {name: when for name, when in _read(store).items() if Path(name).is_dir()}
            kept[key] = kept.get(key) or datetime.now(UTC).isoformat(timespec="seconds")
            text = json.dumps({"folders": kept}, indent=2) + "\n"
            write_whole(store / _FILE, text, mode=0o600)
    return folder


def _stores() -> Iterator[Path]:
    """Yield the folders in which consent may be stored. The user's own folder is included even if it is read-only."""
    if usual := places.usual("data"):
        yield usual
    with suppress(SkillToolsError):
        yield data_folder()


def _read(store: Path) -> dict[str, str]:
    # An unreadable file approves nothing.
    try:
        folders = json.loads((store / _FILE).read_text("utf-8"))["folders"]
        return {str(name): str(when) for name, when in folders.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
