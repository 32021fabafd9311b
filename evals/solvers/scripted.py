"""Solvers without a model: the author's solution, nothing, the bare starter, a handwritten solution, a mutant."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import skill_tools
from evals.case import Case, CaseError
from evals.solvers.outcome import Build, Built

ARCHETYPE = "pure-python-game"
"""The archetype whose starter is used for a case that names no archetype."""


def reference(case: Case, workspace: Path) -> Built:
    """Build the author's solution, rendered."""
    if case.asks.kind != "build":
        return _given(case, "reference")
    folder = workspace / case.name
    shutil.copytree(reference_of(case), folder, ignore=leaves_out(case))
    skill_tools.render(folder, case.asks.frameworks)
    return Built(frameworks=case.asks.frameworks)


def empty(case: Case, workspace: Path) -> Built:
    """Build nothing."""
    return Built(frameworks=case.asks.frameworks)


def scaffold(case: Case, workspace: Path) -> Built:
    """Build the starter of the case's archetype, rendered without changes."""
    folder = workspace / case.name
    skill_tools.new(folder, case.asks.archetype or ARCHETYPE, name=case.name)
    skill_tools.render(folder, case.asks.frameworks or None)
    return Built(frameworks=case.asks.frameworks)


def handwritten(case: Case, workspace: Path) -> Built:
    """Build a correct solution in its own layout, which our renderer did not write."""
    if case.asks.kind != "build":
        return _given(case, "handwritten")
    if case.asks.handwritten is None:
        raise CaseError(f"{case.folder}/asks.yaml: handwritten is missing; say its frameworks")
    shutil.copytree(case.folder / "handwritten", workspace, dirs_exist_ok=True)
    return Built(frameworks=case.asks.handwritten.frameworks)


def mutant(name: str) -> Build:
    """Return a solver that builds the reference solution with a defect, for the first requested framework."""

    def build(case: Case, workspace: Path) -> Built:
        defect = case.mutants[name]
        folder = workspace / case.name
        shutil.copytree(reference_of(case), folder, ignore=leaves_out(case))
        path = folder / defect.file
        text = path.read_text("utf-8")
        if text.count(defect.old) != 1:
            raise CaseError(
                f"{case.folder}/mutants/{name}.yaml: its old text is {text.count(defect.old)} times "
                f"in {defect.file}, not once; name more of the line"
            )
        path.write_text(text.replace(defect.old, defect.new), "utf-8")
        skill_tools.render(folder, case.asks.frameworks[:1])
        return Built(frameworks=case.asks.frameworks[:1])

    return build


def reference_of(case: Case) -> Path:
    """Return the folder with the author's files: the case's own folder, or the folder of a reference environment."""
    own = case.folder / "reference"
    if own.is_dir():
        return own
    if case.asks.reference:
        return (case.folder / case.asks.reference).resolve()
    raise CaseError(f"{case.folder}: it has no reference/, and asks.yaml names none")


SCRIPTED: dict[str, Build] = {
    "reference": reference, "handwritten": handwritten, "empty": empty, "scaffold": scaffold,
}  # fmt: skip


def _given(case: Case, name: str) -> Built:
    """Return a solution's loaded skills or last message, for a case in which nothing is built."""
    if case.asks.kind == "trigger":
        return Built(loaded={each.says: each.skill for each in case.sentences})
    return Built(said=(case.folder / name / "answer.md").read_text("utf-8"))


def leaves_out(case: Case) -> Callable[..., set[str]]:
    """Return a filter for copies that leaves out files that can be rendered again, and files that runs leave behind."""
    rendered = {"openenv", "ors", "verifiers", "nemo_gym", "skyrl_gym", "gem", "_shared", "vendor"}
    rendered |= {"trl", "env.lock.json", "pyproject.toml", "README.md", ".gitattributes"}
    left = {"runs", "__pycache__"}
    return shutil.ignore_patterns(*rendered, *left)
