"""What every format says: a report, what its gate made of it, and where findings are."""

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
"""Files that stand for an environment where a finding is in none, the first that is there."""


@dataclass(frozen=True)
class Ruled:
    """A report with what became of it.

    known: why a finding is known, by its position, of a baseline; None without one. fixed: its entries
    that nothing matches any more. root: the folder that paths are told from, of a repository. target:
    what was audited, as it was named.
    """

    report: Report
    gate: Gate = field(default_factory=Gate)
    known: Mapping[int, str] | None = None
    mended: tuple[KnownFinding, ...] = ()
    root: Path = field(default_factory=Path.cwd)
    target: str = ""

    @property
    def rulings(self) -> list[Ruling]:
        """What the gate says of each thing that it looks at."""
        return rule(self.gate, self.report, self.known)

    @property
    def failing(self) -> list[Ruling]:
        """Of these, what fails it."""
        return [each for each in self.rulings if each.fails]

    def findings(self, *statuses: str) -> Iterator[tuple[Finding, str | None]]:
        """The findings of some statuses, the worst first; with each why it is known, or None."""
        for status in statuses:
            for position, finding in enumerate(self.report.findings):
                if finding.status == status:
                    yield finding, (self.known or {}).get(position)

    def fails(self, finding: Finding, known: str | None) -> bool:
        """Whether a finding fails the gate."""
        return known is None and self.gate.counts(finding)

    def locate(self, place: Place) -> tuple[str, int] | None:
        """The file, from the root where it is below it, and the line; None where no file is known."""
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
        """The environment's folder; of an audit the file or folder that it was asked to audit."""
        if self.report.folder:
            return Path(self.report.folder)
        file = Path(self.target.partition(".py:")[0] + ".py")
        if ".py:" in self.target and file.is_file():
            return file.absolute()
        folder = Path(self.target)
        return folder.absolute() if self.target and folder.exists() else None


def _from(root: Path, path: Path) -> str:
    """A path as it is told: from the root, or absolute where it is elsewhere; never with ``..`` within."""
    whole = Path(os.path.normpath(path))
    for start in (root.absolute(), root.resolve()):
        if whole.is_relative_to(start):
            return whole.relative_to(start).as_posix()
    return whole.as_posix()
