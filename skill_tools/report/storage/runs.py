"""The folder of an environment that holds its last report, and all trajectories behind it."""

from __future__ import annotations

import base64
import functools
import hashlib
import logging
import os
import re
import shutil
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
"""The folder, within that of the environment."""
REPORT_FILE = f"{RUNS}/report.md"
PAGE_FILE = "report.html"
"""The report, within the runs, as a page in which episodes are read."""
SHOWN = "shown"
"""The folder, within the runs, of the episodes that findings show, for ``replay``."""
STUDY_FILE = "study.json"
"""The file, within the runs, of what the last study found."""
TRIED = "tried"
"""The folder, within the runs, of the pictures of calls that a person tried."""
_log = logging.getLogger("skill_tools")


def new_run(folder: Path, framework: str) -> Path:
    """A new empty file for the trajectories of a model's rollout, which is nobody else's."""
    return new_file(_runs(folder), framework)


def study_file(folder: Path, model: str) -> Path:
    """Where the episodes of a model's study are kept; another model has another file."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", model).strip("-.")[:80]
    # A name that ends so is that of the episodes which failed.
    same = plain == model and not model.endswith("-failed")
    mark = "" if same else f"-{hashlib.sha256(model.encode()).hexdigest()[:6]}"
    return _runs(folder) / f"study-{plain}{mark}.jsonl"


def keep_run(report: Report, evidence: Evidence, split: str = "") -> None:
    """Write the report as Markdown, its pictures, and a file of trajectories per framework.

    One split of several has a folder of its own.
    """
    top = _runs(evidence.home)
    runs = inside(top, split) if split else top
    runs.mkdir(exist_ok=True)
    write_whole(
        runs / Path(REPORT_FILE).name, write_markdown(report, evidence, "../" if split else "")
    )
    for framework, played in evidence.variants.rollouts.items():
        (runs / f"{framework}.jsonl").unlink(missing_ok=True)  # as older versions wrote it
        every = (t for by in played.values() for t in by.values())
        write(runs / f"{framework}.jsonl{PACKED}", every, top)


def keep_evidence(folder: Path, evidence: Sequence[Evidence]) -> None:
    """Write what was seen of each split, so that it can be judged again without playing."""
    saved.write(inside(_runs(folder), PICTURES).parent / saved.EVIDENCE_FILE, evidence)


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


def pictures(trajectory: Trajectory) -> Iterator[tuple[str, bytes]]:
    """A file name by step, and the bytes, of each picture that an episode shows."""
    for number, step in enumerate(trajectory.steps, 1):
        images = [block for block in step.observation if block.get("type") == "image"]
        for place, block in enumerate(images, 1):
            kind = str(block["media_type"]).rpartition("/")[2]
            if kind in ("png", "jpeg", "webp"):
                yield f"step-{number}-{place}.{kind}", base64.b64decode(block["data"])


def _write_pictures(place: Path, shown: Trajectory) -> list[Path]:
    shutil.rmtree(place, ignore_errors=True)
    written = []
    for name, data in pictures(shown):
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
        write(kept / f"{check}.jsonl", [trajectory], kept.parent)


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
            f"{kept} has no episode of {check!r}; it has {', '.join(sorted(there)) or 'none'}\n"
            "    fix: name one of these, or run `skill-tools check --play` or `build` again: a finding "
            "that shows an episode says how to replay it"
        )
    return read(there[identity])[0]


def keep_study(folder: Path, study: Study) -> None:
    """Write what a study found, in place of the last one."""
    write_whole(_runs(folder) / STUDY_FILE, study.model_dump_json(indent=2) + "\n")


def read_study(folder: Path) -> Study | None:
    """What the last study of an environment found; None where none was made.

    Raises SkillToolsError where the file is not one that this version writes.
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
