"""The folder with an environment's last report and all its trajectories."""

from __future__ import annotations

import base64
import functools
import hashlib
import logging
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError
from rl_env_harness.records.rollout_files import new_file

from skill_tools.checks.own import every_check
from skill_tools.errors import SkillToolsError
from skill_tools.evidence import saved
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.images.kept_pictures import PICTURES
from skill_tools.evidence.trajectory import PACKED, Trajectory, read, write
from skill_tools.files import write_whole
from skill_tools.learnability.model import Study
from skill_tools.render.plan import inside
from skill_tools.report.markdown import write_markdown
from skill_tools.report.model import Report
from skill_tools.runtime import places

RUNS = "runs"
"""The runs folder within the environment's folder."""
REPORT_FILE = f"{RUNS}/report.md"
PAGE_FILE = "report.html"
"""The report within the runs, as a page for reading episodes."""
SHOWN = "shown"
"""The folder within the runs with the episodes that findings show, for ``replay``."""
STUDY_FILE = "study.json"
"""The file within the runs with the result of the last study."""
TRIED = "tried"
"""The folder within the runs with the pictures of calls that a user tried."""
_log = logging.getLogger("skill_tools")


def new_run(folder: Path, framework: str) -> Path:
    """Create a new, empty file for the trajectories of a rollout with models."""
    return new_file(_runs(folder), framework)


def study_file(folder: Path, model: str) -> Path:
    """Return the file with the episodes of a model's study. Each model has its own file."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", model).strip("-.")[:80]
    # Names with this ending belong to failed episodes.
    same = plain == model and not model.endswith("-failed")
    mark = "" if same else f"-{hashlib.sha256(model.encode()).hexdigest()[:6]}"
    return _runs(folder) / f"study-{plain}{mark}.jsonl"


def keep_run(report: Report, evidence: Evidence, split: str = "") -> None:
    """Write the report as Markdown, its pictures, and a trajectory file per framework.

    If there are several splits, each split has its own folder.
    """
    top = _runs(evidence.home)
    runs = inside(top, split) if split else top
    runs.mkdir(exist_ok=True)
    write_whole(
        runs / Path(REPORT_FILE).name, write_markdown(report, evidence, "../" if split else "")
    )
    for framework, played in evidence.variants.rollouts.items():
        (runs / f"{framework}.jsonl").unlink(missing_ok=True)  # written by older versions
        every = (t for by in played.values() for t in by.values())
        write(runs / f"{framework}.jsonl{PACKED}", every, top)


def keep_evidence(folder: Path, evidence: Sequence[Evidence]) -> None:
    """Write the evidence of each split, so that it can be judged again without playing."""
    saved.write(inside(_runs(folder), PICTURES).parent / saved.EVIDENCE_FILE, evidence)


def read_evidence(folder: Path) -> saved.Saved:
    """Read the evidence of an environment's last build or validation, or of a stored audit.

    Raises SkillToolsError if nothing readable is stored.
    """
    if (kept := folder / saved.EVIDENCE_FILE).is_file():
        return saved.read_saved(kept)
    return saved.read_saved(runs_of(folder) / saved.EVIDENCE_FILE, folder)


def keep_pictures(folder: Path, tried: Trajectory) -> list[Path]:
    """Write the pictures of an episode that a user tried. They replace the pictures of the last such episode on the
    task."""
    place = inside(_runs(folder), f"{TRIED}/{tried.split}-{tried.index}")
    return _write_pictures(place, tried)


def pictures(trajectory: Trajectory) -> Iterator[tuple[str, bytes]]:
    """Yield the file name and bytes of each picture that an episode shows, in order. Step 0 is the opening."""
    counted: Counter[int] = Counter()
    for number, block in trajectory.pictures():
        counted[number] += 1
        kind = str(block["media_type"]).rpartition("/")[2]
        if kind in ("png", "jpeg", "webp"):
            yield f"step-{number}-{counted[number]}.{kind}", base64.b64decode(block["data"])


def _write_pictures(place: Path, shown: Trajectory) -> list[Path]:
    shutil.rmtree(place, ignore_errors=True)
    written = []
    for name, data in pictures(shown):
        place.mkdir(parents=True, exist_ok=True)
        write_whole(place / name, data)
        written.append(place / name)
    return written


def keep_shown(folder: Path, shown: Mapping[str, Trajectory]) -> None:
    """Write the episodes that each check's findings show. They replace the episodes of the last run."""
    kept = runs_of(folder) / SHOWN
    shutil.rmtree(kept, ignore_errors=True)
    if shown:
        inside(_runs(folder), SHOWN).mkdir()
    for check, trajectory in shown.items():
        write(kept / f"{check}.jsonl", [trajectory], kept.parent)


def read_shown(folder: Path, check: str) -> Trajectory:
    """Read the episode that a finding of the last run shows. ``check`` is an id or name, optionally with a number.

    Raises SkillToolsError if no such episode is stored.
    """
    kept = runs_of(folder) / SHOWN
    names = {each.name: each.id for each in every_check().values()}
    name, dash, number = check.rpartition("-")
    identity = names.get(check, check.upper())
    if dash and number.isdigit() and name in names:
        identity = f"{names[name]}-{number}"
    there = {path.stem: path for path in kept.glob("*.jsonl")}
    if identity not in there:
        known = f"episodes of {', '.join(sorted(there))}" if there else "none"
        raise SkillToolsError(
            f"{kept} has no episode of {check!r}; it has {known}\n"
            "    fix: name one of these, or run `skill-tools check --play` or `build` again: a "
            "finding that shows an episode states how to replay it"
        )
    return read(there[identity])[0]


def keep_study(folder: Path, study: Study) -> None:
    """Write a study's result, which replaces the last result."""
    write_whole(_runs(folder) / STUDY_FILE, study.model_dump_json(indent=2) + "\n")


def read_study(folder: Path) -> Study | None:
    """Read the result of an environment's last study, or return None if no study is stored.

    Raises SkillToolsError if this version cannot read the file.
    """
    path = runs_of(folder) / STUDY_FILE
    if not path.is_file():
        return None
    try:
        return Study.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise SkillToolsError(
            f"{path} is not a study that this version can read\n"
            "    fix: run `skill-tools learnability` again"
        ) from error


def runs_of(folder: Path) -> Path:
    """Return the folder of an environment's runs. It is in skill-tools' data folder if the environment is read-only."""
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
    # Every run differs, so authors should not commit them.
    write_whole(runs / ".gitignore", "*\n")
    return runs
