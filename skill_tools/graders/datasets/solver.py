"""Rows whose answer differs from the solver's answer. The author's solver runs in a process with a time limit."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from skill_tools.errors import SkillToolsError
from skill_tools.evidence.grading.rows import EXCERPT, RowCount, RowExample
from skill_tools.graders.datasets.fields import told
from skill_tools.graders.datasets.normalization import canonical
from skill_tools.graders.datasets.table import Table, excerpt
from skill_tools.runtime import supervise
from skill_tools.runtime.environment import child_environment

MOST_ROWS = 4_000
"""Maximum rows kept for the solver with their full texts, evenly chosen over all splits."""
SECONDS = 60.0
"""Seconds for all rows."""
STARTING = 20.0
"""Seconds for starting the process and importing the solver."""
CLOSE = 1e-6
"""Relative difference within which numbers are equal, because solvers compute with floats."""
CHILD = Path(__file__).with_name("solve_rows.py")


class Solver:
    """The author's solver, and the rows that it will answer. The rows are collected while the dataset is read.

    ``named`` is path.py:function; the function gets a row as a dict and returns the row's answer, or None if the
    answer is unknown. Raises SkillToolsError if the file is missing.
    """

    def __init__(self, named: str | None) -> None:
        self.named = named or ""
        self.kept: list[tuple[int, Mapping[str, Any], Any]] = []
        self.every = 1
        self.solved = 0
        path, _, self.function = self.named.rpartition(":")
        self.path = Path(path)
        if named and not (self.path.is_file() and self.function.isidentifier()):
            raise SkillToolsError(
                f"{named!r} does not name a function in a file\n    fix: write it as path.py:function"
            )

    def add(self, at: int, row: Mapping[str, Any], answer: Any) -> None:
        """Keep a row if the solver should answer it."""
        if not self.named or at % self.every or answer is None:
            return
        self.kept.append((at, row, answer))
        if len(self.kept) > MOST_ROWS:
            self.every *= 2
            self.kept = [each for each in self.kept if each[0] % self.every == 0]

    def counted(self, table: Table) -> list[RowCount]:
        """Count, by split, the rows whose answer is not the solver's answer, and the rows on which the solver
        raised.
        """
        if not self.named:
            return []
        told_by = self._ask()
        answers = {at: answer for at, _, answer in self.kept}
        wrong: dict[str, list[tuple[int, str]]] = {}
        raised: dict[str, list[tuple[int, str]]] = {}
        looked: dict[str, int] = {}
        for at, (answer, error) in told_by.items():
            split = table.splits[table.split[at]]
            if error:
                raised.setdefault(split, []).append((at, error))
            elif answer is not None:
                looked[split] = looked.get(split, 0) + 1
                if not is_same(answers[at], answer):
                    wrong.setdefault(split, []).append((at, told(answer)))
        self.solved = sum(looked.values())
        found = [
            _count("solver", split, several, looked[split], table)
            for split, several in wrong.items()
        ]
        for split, several in raised.items():
            of = looked.get(split, 0) + len(several)
            found.append(_count("solver_raised", split, several, of, table))
        return found

    def _ask(self) -> dict[int, tuple[Any, str]]:
        with tempfile.TemporaryDirectory(prefix="skill-tools-") as scratch:
            rows, results = Path(scratch, "rows"), Path(scratch, "results")
            with rows.open("w", encoding="utf-8", errors="replace") as file:
                for at, row, _ in self.kept:
                    file.write(json.dumps([at, row], default=str, ensure_ascii=True) + "\n")
            command: list[str | Path] = [sys.executable, "-B", CHILD, self.path.resolve()]
            done = supervise.run(
                [*command, self.function, rows, results, str(SECONDS)],
                cwd=self.path.resolve().parent,
                env=child_environment({"PYTHONHASHSEED": "0"}),
                timeout=SECONDS + STARTING,
                log=Path(scratch, "log"),
            )
            lines = results.read_text("utf-8").splitlines() if results.exists() else []
        if not lines:
            raise SkillToolsError(
                f"the solver {self.named} did not answer any row:\n{done.log_tail or 'it took too long'}\n"
                f"    fix: let {self.function}(row) return the answer of a row, or None"
            )
        found = {}
        for line in lines:
            try:
                at, answer, *error = json.loads(line)
            except ValueError:  # it was stopped within its last line
                continue
            found[at] = (answer, str(error[0]) if error else "")
        return found


def is_same(label: Any, solved: Any) -> bool:
    """Return whether a row's answer equals the solver's answer, regardless of the notation.

    If the row's answer is a list, return whether the list contains the solver's answer.
    """
    own, other = canonical(label), canonical(solved)
    if own == other:
        return True
    if isinstance(label, list) and other in map(canonical, label):
        return True
    try:
        one, two = (_float(each) for each in (own, other))
    except (ValueError, ZeroDivisionError, OverflowError):
        return False
    return abs(one - two) <= CLOSE * max(1.0, abs(one), abs(two))


def _float(text: str) -> float:
    top, _, bottom = text.partition("/")
    return float(top) / float(bottom or 1)


def _count(
    kind: str, split: str, several: Sequence[tuple[int, str]], of: int, table: Table
) -> RowCount:
    said = dict(several)
    chosen = table.shortest([(at, None) for at in said])
    examples = []
    for at, _ in chosen:
        one = table.example(at)
        answer = excerpt(said[at], EXCERPT // 2)
        examples.append(RowExample(one.row, one.text, one.answer, "the solver", "", answer))
    shared = table.shared([(at, None) for at in said], split)
    return RowCount(kind, split, len(several), of, "", tuple(examples), shared=shared)
