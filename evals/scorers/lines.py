"""The number of handwritten lines among all lines in a solver's files. This number is reported, not scored."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import skill_tools
from evals.case import FRAMEWORKS
from evals.rollouts.folders import files
from evals.scorers.checks import spec_folder

TEXT = {".py", ".yaml", ".yml", ".toml", ".json", ".jsonl", ".md", ".txt", ".cfg", ""}


def count(folder: Path, given: Iterable[str] = ()) -> dict[str, int]:
    """Return ``lines_by_hand`` and ``lines``. Files that our renderer would write identically are not handwritten.

    Files and folders in ``given``, which the agent was given, count for neither number.
    """
    before = {folder / place for place in given}
    texts = {
        path: _text(path)
        for path in files(folder)
        if path.suffix in TEXT and not before & {path, *path.parents}
    }
    shared = [path for path in folder.rglob("_shared/*.py") if path.is_file()]
    texts |= {path: _text(path) for path in shared}
    lines = {path: len(text.splitlines()) for path, text in texts.items()}
    rendered = _rendered(folder)
    by_hand = sum(number for path, number in lines.items() if path not in rendered)
    return {"lines_by_hand": by_hand, "lines": sum(lines.values())}


def _rendered(folder: Path) -> set[Path]:
    """Return the files that equal a rendering of the spec byte for byte. The lock file is not consulted."""
    spec = spec_folder(folder)
    if spec is None:
        return set()
    try:
        skill_tools.load(spec)
        there = [name for name in FRAMEWORKS if (spec / name).is_dir()]
        planned = skill_tools.render(spec, there or None, force=True, dry_run=True)
    except skill_tools.SkillToolsError:
        return set()
    changed = {change.path for change in planned.changes}
    return {spec / file.path for file in planned.files if file.path not in changed}


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        return ""
