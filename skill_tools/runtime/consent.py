"""Consent: the environment folders whose code the user agreed to run.

Kept in the user's data folder, never in an environment: a folder cannot approve itself.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from skill_tools.files import write_whole

_FILE = "approved.json"
_approved_here: set[str] = set()
"""Folders approved in this process; what is left when the data folder cannot be written."""


def data_folder() -> Path:
    """Where consent is kept: SKILL_TOOLS_DATA, or a folder in the user's data."""
    from platformdirs import user_data_dir

    chosen = os.environ.get("SKILL_TOOLS_DATA") or user_data_dir("rl-env-skills")
    return Path(chosen).expanduser().absolute()


def approved(folder: Path) -> bool:
    """Whether the user agreed to run the code in exactly this folder."""
    key = os.path.realpath(folder)
    return key in _approved_here or key in _read()


def approve(folder: Path) -> Path:
    """Remember that the user agreed, and return the folder.

    Where the data folder cannot be written it is remembered in this process only.
    """
    from filelock import FileLock

    key = os.path.realpath(folder)
    _approved_here.add(key)
    store = data_folder()
    # A home that is read-only must not keep anybody from building.
    with suppress(OSError):
        store.mkdir(parents=True, exist_ok=True)
        with FileLock(store / f"{_FILE}.lock", timeout=10):
            # Temporary environments come and go; what is gone needs no consent.
            kept = {name: when for name, when in _read().items() if Path(name).is_dir()}
            kept[key] = kept.get(key) or datetime.now(UTC).isoformat(timespec="seconds")
            told = json.dumps({"folders": kept}, indent=2) + "\n"
            write_whole(store / _FILE, told, mode=0o600)
    return folder


def _read() -> dict[str, str]:
    # What cannot be read approves nothing.
    try:
        folders = json.loads((data_folder() / _FILE).read_text("utf-8"))["folders"]
        return {str(name): str(when) for name, when in folders.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
