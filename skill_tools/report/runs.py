"""The folder of an environment that holds its last report, and all trajectories behind it."""

from __future__ import annotations

import functools
import hashlib
import logging
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from skill_tools.checks.own import every_check
from skill_tools.errors import SkillToolsError
from skill_tools.evidence import saved
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Trajectory, read
from skill_tools.files import write_whole
from skill_tools.render.plan import inside
from skill_tools.render.vendored._shared.records import new_file
from skill_tools.report.markdown import PICTURES, pictures, write_markdown, written_out
from skill_tools.report.model import Report
from skill_tools.runtime import places

RUNS = "runs"
"""The folder, within that of the environment."""
REPORT_FILE = f"{RUNS}/report.md"
SHOWN = "shown"
"""The folder, within the runs, of the episodes that findings show, for ``replay``."""
TRIED = "tried"
"""The folder, within the runs, of the pictures of calls that a person tried."""
_log = logging.getLogger("skill_tools")


def new_run(folder: Path, framework: str) -> Path:
    """A new empty file for the trajectories of a model's rollout, which is nobody else's."""
    return new_file(_runs(folder), framework)


def keep_run(report: Report, evidence: Evidence, split: str = "") -> None:
    """Write the report as Markdown, its pictures, and a file of trajectories per framework.

    One split of several has a folder of its own.
    """
    runs = inside(_runs(evidence.home), split) if split else _runs(evidence.home)
    runs.mkdir(exist_ok=True)
    write_whole(runs / Path(REPORT_FILE).name, write_markdown(report, evidence))
    _write_pictures(inside(runs, PICTURES), written_out(evidence))
    for framework, played in evidence.rollouts.items():
        lines = [t.model_dump_json(by_alias=True) for by in played.values() for t in by.values()]
        write_whole(runs / f"{framework}.jsonl", "\n".join(lines) + "\n")


def keep_evidence(folder: Path, evidence: Sequence[Evidence]) -> None:
    """Write what was seen of each split, so that it can be judged again without playing."""
    saved.write(_runs(folder) / saved.EVIDENCE_FILE, evidence)


def read_evidence(folder: Path) -> saved.Saved:
    """What the last build or validation of an environment saw, or an audit that was kept in a folder.

    Raises SkillToolsError where nothing is kept that can be read.
    """
    if (kept := folder / saved.EVIDENCE_FILE).is_file():
        return saved.read_saved(kept)
    return saved.read_saved(runs_of(folder) / saved.EVIDENCE_FILE, folder)


def keep_pictures(folder: Path, tried: Trajectory) -> list[Path]:
    """Write the pictures of an episode that was tried, in place of those of the last on its task."""
    place = inside(_runs(folder), f"{TRIED}/{tried.split}-{tried.index}")
    return _write_pictures(place, tried)


def _write_pictures(place: Path, shown: Trajectory | None) -> list[Path]:
    shutil.rmtree(place, ignore_errors=True)
    written = []
    for _, name, data in pictures(shown) if shown else ():
        place.mkdir(parents=True, exist_ok=True)
        write_whole(place / name, data)
        written.append(place / name)
    return written


def keep_shown(folder: Path, shown: Mapping[str, Trajectory]) -> None:
    """Write the episode that each check's findings show, in place of those of the last run."""
    kept = runs_of(folder) / SHOWN
    shutil.rmtree(kept, ignore_errors=True)
    if shown:
        inside(_runs(folder), SHOWN).mkdir()
    for check, trajectory in shown.items():
        write_whole(kept / f"{check}.jsonl", trajectory.model_dump_json(by_alias=True) + "\n")


def read_shown(folder: Path, check: str) -> Trajectory:
    """The episode that a finding showed last; ``check`` is the id or name of its check, and maybe a number.

    Raises SkillToolsError where none is kept.
    """
    kept = runs_of(folder) / SHOWN
    names = {each.name: each.id for each in every_check().values()}
    name, dash, number = check.rpartition("-")
    identity = names.get(check, check.upper())
    if dash and number.isdigit() and name in names:
        identity = f"{names[name]}-{number}"
    there = {path.stem: path for path in kept.glob("*.jsonl")}
    if identity not in there:
        raise SkillToolsError(
            f"no episode of {check!r} is kept in {kept}; there is {', '.join(sorted(there)) or 'none'}\n"
            "    fix: name one of these, or run `skill-tools check --play` or `build` again: a finding "
            "that shows an episode says how to replay it"
        )
    return read(there[identity])[0]


def runs_of(folder: Path) -> Path:
    """Where the runs of an environment are kept: in it, or in our data where it cannot be written."""
    runs = inside(folder, RUNS)
    if os.access(runs if runs.is_dir() else folder, os.W_OK | os.X_OK):
        return runs
    key = hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()[:12]
    return places.place("data") / RUNS / f"{folder.name}-{key}"


@functools.cache
def _say_where(folder: Path, runs: Path) -> None:
    _log.warning("%s cannot be written: its runs are kept in %s", folder, runs)


def _runs(folder: Path) -> Path:
    runs = runs_of(folder)
    if runs != inside(folder, RUNS):
        _say_where(folder, runs)
    runs.mkdir(parents=True, exist_ok=True)
    # Every run is another: no part of what an author commits.
    write_whole(runs / ".gitignore", "*\n")
    return runs
