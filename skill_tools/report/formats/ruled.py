"""The input of every format: a report, its gate's rulings, and the locations of findings."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from skill_tools.checks import Finding
from skill_tools.checks.check import Place
from skill_tools.files import SPEC_FILE
from skill_tools.report.baseline import KnownFinding
from skill_tools.report.gate import Gate, Ruling, rule
from skill_tools.report.model import Report

STANDS_FOR = (SPEC_FILE, "pyproject.toml", "openenv.yaml", "server.py", "README.md")
"""Fallback files for a finding without a file; the first that exists is used."""


@dataclass(frozen=True)
class Ruled:
    """A report with its rulings.

    Attributes:
        known: The reason why each known finding is in the baseline, keyed by its position in the report; None
            without a baseline.
        fixed: Entries of the baseline that no longer match a finding.
        root: The folder, usually of a repository, to which paths are relative.
        target: The name that the user gave for the audited environment.
    """

    report: Report
    gate: Gate = field(default_factory=Gate)
    known: Mapping[int, str] | None = None
    fixed: tuple[KnownFinding, ...] = ()
    root: Path = field(default_factory=Path.cwd)
    target: str = ""

    @property
    def rulings(self) -> list[Ruling]:
        """Return the gate's ruling on each criterion."""
        return rule(self.gate, self.report, self.known)

    @property
    def failing(self) -> list[Ruling]:
        """Return the rulings that fail the gate."""
        return [each for each in self.rulings if each.fails]

    def findings(self, *statuses: str) -> Iterator[tuple[Finding, str | None]]:
        """Yield the findings with these statuses, in the order of the statuses.

        The second value is the reason why the finding is known, or None if it is not known.
        """
        for status in statuses:
            for position, finding in enumerate(self.report.findings):
                if finding.status == status:
                    yield finding, (self.known or {}).get(position)

    def fails(self, finding: Finding, known: str | None) -> bool:
        """Return whether a finding fails the gate. A known finding never does."""
        return known is None and self.gate.counts(finding)

    def locate(self, place: Place) -> tuple[str, int] | None:
        """Return the file and line of a place, or None if the file is unknown. A path below the root is relative to the
        root."""
        base = self._base()
        if base is None:
            return None
        if base.is_file():
            return _from(self.root, base), place.line or 1
        if place.file:
            return _from(self.root, base / place.file), place.line or 1
        there = next((name for name in STANDS_FOR if (base / name).is_file()), None)
        return (_from(self.root, base / there), 1) if there else None

    def _base(self) -> Path | None:
        """Return the environment's folder, or for an audit the file or folder that was audited."""
        if self.report.folder:
            return Path(self.report.folder)
        file = Path(self.target.partition(".py:")[0] + ".py")
        if ".py:" in self.target and file.is_file():
            return file.absolute()
        folder = Path(self.target)
        return folder.absolute() if self.target and folder.exists() else None


def _from(root: Path, path: Path) -> str:
    """Return a path relative to ``root``, or an absolute path if the path is not below ``root``. The result never
    contains ``..``.
    """
    whole = Path(os.path.normpath(path))
    for start in (root.absolute(), root.resolve()):
        if whole.is_relative_to(start):
            return whole.relative_to(start).as_posix()
    return whole.as_posix()
