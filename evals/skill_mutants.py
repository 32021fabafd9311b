"""An experiment that drops one part of the skills at a time, and reports the cases whose scores change.

A part is a numbered step, a bullet, or a section that has neither. With a key, the experiment asks the
agent's own model. Without a key, it asks a scripted model, which only follows the text of the skill. The
scripted model shows whether the absence of a part is noticed, and nothing about real models.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from evals.case import Case
from evals.report.model import summary
from evals.report.result import Result
from evals.solvers import agents
from evals.solvers.outcome import Build

STARTS = re.compile(r"^(\d+\. |- |## )", re.MULTILINE)
WHOLE = "whole"
NOTICED = 0.01


class Part(NamedTuple):
    """A part of a page of a skill."""

    number: int
    file: str
    """The file's path, relative to the folder of skills."""
    text: str

    @property
    def name(self) -> str:
        """The part's number, page and first words, for people."""
        return f"{self.number:03} {self.file}: {' '.join(self.text.split())[:70]}"


def parts(skills: Path, skill: str) -> list[Part]:
    """Return the parts of a skill and its references in the order of the pages, numbered from 1."""
    pages = [skills / skill / "SKILL.md", *sorted((skills / skill / "references").glob("*.md"))]
    found = [
        (str(page.relative_to(skills)), text)
        for page in pages
        if page.is_file()
        for text in _pieces(page.read_text("utf-8"))
    ]
    return [Part(number, file, text) for number, (file, text) in enumerate(found, 1)]


def _pieces(text: str) -> Iterator[str]:
    """Yield the pieces of a skill's page.

    A heading alone is not a piece. The text above the first heading is the skill's name and purpose.
    """
    body = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    starts = [match.start() for match in STARTS.finditer(body)] or [0]
    for start, end in zip(starts, [*starts[1:], len(body)], strict=True):
        piece = body[start:end]
        if piece.strip().count("\n") or not piece.startswith("## "):
            yield piece


def without(skills: Path, part: Part, folder: Path) -> Path:
    """Write a copy of the skills without one part. Return the folder of the copy."""
    copy = folder / f"{part.number:03}"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(skills, copy)
    page = copy / part.file
    text = page.read_text("utf-8")
    if text.count(part.text) < 1:
        raise ValueError(f"{part.file} does not hold part {part.number}; list the parts again")
    page.write_text(text.replace(part.text, "", 1), "utf-8")
    return copy


def plan(
    program: str, wanted: Sequence[Case], dropped: Sequence[Part], folder: Path
) -> dict[str, dict[str, tuple[Case, Build]]]:
    """Return a plan that runs the agent on the cases: once with the whole skills, and once without each part."""
    skills = {WHOLE: agents.SKILLS}
    for part in dropped:
        skills[f"without-{part.number:03}"] = without(agents.SKILLS, part, folder)
    return {
        name: {
            case.name: (case, agents.agent(f"{program}+with", where, literal=True))
            for case in wanted
        }
        for name, where in skills.items()
    }


def changes(results: Sequence[Result], dropped: Sequence[Part]) -> dict[str, dict[str, float]]:
    """Return how much each case's score changes without each part, keyed by part and case. Leave out small changes."""
    names = sorted({each.case for each in results})

    def mean(solver: str, case: str) -> float | None:
        scores = [r.score for r in results if (r.solver, r.case) == (solver, case)]
        return summary(scores).mean

    found: dict[str, dict[str, float]] = {}
    for part in dropped:
        found[part.name] = {}
        for case in names:
            whole, less = mean(WHOLE, case), mean(f"without-{part.number:03}", case)
            if whole is not None and less is not None and abs(less - whole) > NOTICED:
                found[part.name][case] = round(less - whole, 4)
    return found
