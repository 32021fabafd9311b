"""The folder of an environment that holds its last report, and all trajectories behind it."""

from __future__ import annotations

import time
from pathlib import Path

from skill_tools.files import write_whole
from skill_tools.play.evidence import Evidence
from skill_tools.render.plan import inside
from skill_tools.report.markdown import write_markdown
from skill_tools.report.model import Report

RUNS = "runs"
REPORT_FILE = f"{RUNS}/report.md"


def new_run(folder: Path, framework: str) -> Path:
    """A file name for the trajectories of a model's rollout; its folder is there."""
    return _runs(folder) / time.strftime(f"{framework}-%Y%m%d-%H%M%S.jsonl")


def keep_run(report: Report, evidence: Evidence, split: str = "") -> None:
    """Write the report as Markdown, and a file of trajectories per framework.

    One split of several has a folder of its own.
    """
    runs = inside(_runs(evidence.folder), split) if split else _runs(evidence.folder)
    runs.mkdir(exist_ok=True)
    write_whole(runs / Path(REPORT_FILE).name, write_markdown(report, evidence))
    for framework, played in evidence.rollouts.items():
        lines = [t.model_dump_json(by_alias=True) for by in played.values() for t in by.values()]
        write_whole(runs / f"{framework}.jsonl", "\n".join(lines) + "\n")


def _runs(folder: Path) -> Path:
    runs = inside(folder, RUNS)
    runs.mkdir(exist_ok=True)
    # Every run is another: no part of what an author commits.
    write_whole(runs / ".gitignore", "*\n")
    return runs
