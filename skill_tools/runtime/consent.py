"""Consent: the environment folders whose code the user agreed to run.

Kept in the user's data folder, never in an environment: a folder cannot approve itself.
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
"""Folders approved in this process; what is left when the data folder cannot be written."""


def data_folder() -> Path:
    """Where consent is kept: SKILL_TOOLS_DATA, or a folder in the user's data; see ``places``."""
    return places.place("data")


def approved(folder: Path) -> bool:
    """Whether the user agreed to run the code in exactly this folder."""
    key = os.path.realpath(folder)
    return key in _approved_here or any(key in _read(store) for store in _stores())


def approve(folder: Path) -> Path:
    """Remember that the user agreed, and return the folder.

    Where the data folder cannot be written it is remembered in this process only.
    """
    from filelock import FileLock

    key = os.path.realpath(folder)
    _approved_here.add(key)
    # A data folder that is read-only must not keep anybody from building.
    with suppress(OSError, SkillToolsError):
        store = data_folder()
        with FileLock(store / f"{_FILE}.lock", timeout=10):
            # Temporary environments come and go; what is gone needs no consent.
            kept = {name: when for name, when in _read(store).items() if Path(name).is_dir()}
            kept[key] = kept.get(key) or datetime.now(UTC).isoformat(timespec="seconds")
            text = json.dumps({"folders": kept}, indent=2) + "\n"
            write_whole(store / _FILE, text, mode=0o600)
    return folder


def _stores() -> Iterator[Path]:
    """The folders to look in: also the user's own that can be read, but not written."""
    if usual := places.usual("data"):
        yield usual
    with suppress(SkillToolsError):
        yield data_folder()


def _read(store: Path) -> dict[str, str]:
    # What cannot be read approves nothing.
    try:
        folders = json.loads((store / _FILE).read_text("utf-8"))["folders"]
        return {str(name): str(when) for name, when in folders.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
