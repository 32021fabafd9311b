"""Mutants and controls: reading them, playing them, and judging them by the checks."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from skill_tools import archetypes, pipeline
from skill_tools.checks import Finding
from skill_tools.errors import SkillToolsError
from skill_tools.evidence.evidence import Evidence
from skill_tools.files import write_files
from skill_tools.pipeline.bare_runs import DEFAULT_TASKS
from skill_tools.report import outcome
from tests.conftest import ROOT

HERE = Path(__file__).parent
FOUND = ("fail", "warn")
"""Levels of a finding that count as found."""


@dataclass(frozen=True)
class Round:
    """Mutants that were written at one time, by authors with the same knowledge of the checks; see rounds.yaml.

    Attributes:
        found_at_first: The number of mutants that were found before this round was used to fix anything, or None
            if they were not played then.
    """

    number: int
    seen: str
    kinds: str
    found_at_first: int | None = None


@dataclass(frozen=True)
class Mutant:
    """An environment with one defect.

    Attributes:
        finds: The checks that name the cause of the defect; any one of them is enough.
        examples: Whether the mutant is played with the environment's worked examples.
    """

    name: str
    on: str
    kind: str
    defect: str
    edits: list[dict[str, str]]
    finds: tuple[str, ...] = ()
    examples: bool = True
    round: int = 0


@cache
def rounds() -> list[Round]:
    """Return the rounds of the corpus, in the order in which they were written."""
    said = YAML(typ="safe").load(HERE / "rounds.yaml")
    return [Round(number, **each) for number, each in enumerate(said, 1)]


def mutant_of(name: str) -> Mutant:
    """Return the mutant with this name, without reading any other mutant."""
    files = ((HERE / f"round_{each.number}" / f"{name}.yaml", each.number) for each in rounds())
    ((path, number),) = (found for found in files if found[0].is_file())
    return _read(path, number)


def mutants() -> list[Mutant]:
    """Return all mutants of the corpus, in the order of their names."""
    found = [_read(path, each.number) for each in rounds() for path in _files_of(each)]
    return sorted(found, key=attrgetter("name"))


def _files_of(each: Round) -> list[Path]:
    return list((HERE / f"round_{each.number}").glob("*.yaml"))


def controls() -> list[Path]:
    """Return the folders of correct environments that are unusual."""
    return sorted(path.parent for path in HERE.glob("controls/*/env.yaml"))


def _read(path: Path, number: int) -> Mutant:
    said: dict[str, Any] = YAML(typ="safe").load(path)
    finds = tuple(said.pop("finds", ()))
    return Mutant(path.stem, finds=finds, round=number, **said)


@dataclass(frozen=True)
class Seen:
    """The evidence of each split of an environment, or the problem that stopped it from being played."""

    evidence: list[Evidence]
    stopped: str = ""

    @property
    def played(self) -> bool:
        """Whether the environment was played, or a problem stopped it from being played."""
        return bool(self.stopped) or any(each.reference.episodes for each in self.evidence)


def see(work: Mutant | Path, count: int = DEFAULT_TASKS) -> Seen:
    """Play ``count`` tasks of a mutant, or of the environment in a folder, on the bare domain."""
    if isinstance(work, Path):
        return _see(work, count)
    with tempfile.TemporaryDirectory(prefix="skill-tools-mutant-") as scratch:
        folder = Path(scratch) / work.on.replace("-", "_")
        build(work, folder)
        return _see(folder, count)


def build(work: Mutant, folder: Path) -> None:
    """Write a mutant's environment into a new folder."""
    copy_environment(work.on, folder)
    for edit in work.edits:
        path = folder / edit["file"]
        text = path.read_text("utf-8")
        if text.count(edit["find"]) != 1:
            raise ValueError(f"{work.name}: {edit['find']!r} is not once in {edit['file']}")
        path.write_text(text.replace(edit["find"], edit["put"]), "utf-8")
    if not work.examples:
        leave_out_examples(folder)


def _see(folder: Path, count: int) -> Seen:
    try:
        return Seen(pipeline.check(folder, play=True, count=count).seen)
    except SkillToolsError as error:
        return Seen([], str(error))


def judge(seen: Seen) -> list[Finding]:
    """Return all findings from the evidence. A problem that stops the checks is a finding, too."""
    if seen.stopped:
        return [Finding("STOPPED", "stopped", "fail", seen.stopped)]
    # Of no folder: where it was played is gone, and nobody replays what is found there.
    alone = [outcome.judge(replace(each, folder=None)) for each in seen.evidence]
    return list(outcome.combine(alone).report.findings)


def play(mutant: Mutant, count: int = DEFAULT_TASKS) -> list[Finding]:
    """Return the findings for a mutant, played on ``count`` tasks of the bare domain."""
    return judge(see(mutant, count))


def look(folder: Path) -> list[Finding]:
    """Return the findings for the environment in a folder."""
    return judge(see(folder))


def leave_out_examples(folder: Path) -> None:
    """Remove the worked examples from an environment."""
    (folder / "examples.yaml").unlink(missing_ok=True)
    said = YAML(typ="safe").load(folder / "env.yaml")
    if said.pop("examples", None) is not None:
        # As JSON, which is YAML: texts such as "?!" are not always quoted where they must be.
        (folder / "env.yaml").write_text(json.dumps(said, indent=1, ensure_ascii=False), "utf-8")


def copy_environment(name: str, folder: Path) -> None:
    """Copy the author's files of a reference environment, a starter, a control or the case connect_four."""
    if name.startswith("starter-"):
        write_files(folder, archetypes.start(name.removeprefix("starter-"), name.replace("-", "_")))
        return
    source = HERE / "controls" / name
    if source.is_dir():
        shutil.copytree(source, folder)
        return
    source = (
        ROOT / "evals" / "cases" / name / "reference"
        if name == "connect_four"
        else ROOT / "reference_envs" / f"{name}_env"
    )
    rendered = (
        "_shared",
        "vendor",
        "runs",
        "*.lock.json",
        "README.md",
        "__pycache__",
        "tests",
        "openenv",
    )
    others = ("ors", "verifiers", "nemo_gym", "skyrl_gym", "gem", "trl", "pyproject.toml", ".git*")
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns(*rendered, *others))


def found(findings: list[Finding]) -> Iterator[Finding]:
    """Return the findings that fail or warn."""
    return (finding for finding in findings if finding.status in FOUND)
