"""Functions that import an existing environment and write env.yaml and a domain around it."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from skill_tools.archetypes.scaffold import LEFT
from skill_tools.audit.target import Target
from skill_tools.errors import RenderError, SpecError
from skill_tools.files import write_files
from skill_tools.frameworks import rules
from skill_tools.ports.exploration import Tour, explore
from skill_tools.ports.options import ImportOptions
from skill_tools.ports.original import Discovered, discover, keep_original
from skill_tools.ports.wrapped import TEMPLATES, task_table, wrap_files
from skill_tools.runtime.progress import Progress


@dataclass(frozen=True)
class Imported:
    """An imported environment, with facts about the original.

    Attributes:
        solved: The number of tasks with a solution that earns more than an episode without calls.
        limits: Sentences about facts that could not be read or that the author must decide.
    """

    folder: Path
    files: tuple[str, ...]
    framework: str
    tasks: int
    solved: int
    limits: tuple[str, ...]


def wrap(folder: Path, target: Target, asked: ImportOptions, progress: Progress) -> Imported:
    """Write an environment around a target into a new or empty folder.

    Raises SkillToolsError if the target cannot be played, and RenderError if the folder is not empty; nothing is
    written in these cases.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise RenderError(f"{folder} is not empty\n    fix: name a new folder; nothing was written")
    name = asked.name or re.sub(r"\W+", "_", folder.name.lower()).strip("_")
    seen = discover(target, asked, progress)
    with tempfile.TemporaryDirectory(prefix="skill-tools-") as scratch:
        made = Path(scratch) / name
        made.mkdir()
        keep_original(made, seen, asked, (TEMPLATES / "original" / "client.py").read_text("utf-8"))
        progress(target.framework.name, "playing every task")
        tour = explore(made, seen, seen.found["places"])
        table = task_table(seen, tour)
        write_files(made, {**wrap_files(name, seen, tour, table, asked), ".gitignore": LEFT})
        _check(made, folder)
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copytree(made, folder, dirs_exist_ok=True)
    files = sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())
    solved = sum(total > tour.idle[number] for number, (_, total) in tour.best.items())
    name, limits = target.framework.name, tuple(_limits(seen, tour, solved))
    return Imported(folder, tuple(files), name, len(tour.openings), solved, limits)


def _limits(seen: Discovered, tour: Tour, solved: int) -> Iterator[str]:
    """Yield a sentence for each fact that the author must know, decide or supply."""
    if tour.broke:
        yield f"the original breaks on an action that its schema allows: {tour.broke}"
    if solved < len(tour.openings) and not seen.solved:
        yield "no solutions are known, so the oracle plays the best random episode: give --solutions FILE"
    if tour.sessions:
        yield f"a process of the original holds {tour.sessions} sessions; further episodes start further processes"
    if not seen.found.get("max_turns") and not seen.found.get("ends_itself"):
        yield "the original states no turn limit: set episode.max_turns in env.yaml"
    if seen.found.get("rewardless"):
        yield "the original gives no reward: write finish() in world.py, or the score of each action"
    if seen.target.framework.by_command and not seen.target.url:
        yield f"the environment runs `{seen.target.id}`, so every machine that plays it needs this command"
    if seen.target.url:
        yield f"the environment needs the server at {seen.target.url} in every episode"
    if seen.target.left_out:
        yield f"requirements that are on no package index were left out: {', '.join(seen.target.left_out)}"


def _check(made: Path, folder: Path) -> None:
    """Raise SpecError if env.yaml in ``made`` is invalid. In the error's paths, ``folder`` replaces ``made``."""
    try:
        rules.load(made)
    except SpecError as error:
        found = [replace(p, where=p.where.replace(str(made), str(folder))) for p in error.problems]
        raise SpecError(found) from error
