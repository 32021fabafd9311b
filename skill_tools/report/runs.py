"""The folder of an environment that holds its last report, and all trajectories behind it."""

from __future__ import annotations

from skill_tools.files import write_whole
from skill_tools.play.evidence import Evidence
from skill_tools.render.plan import inside
from skill_tools.report.markdown import write_markdown
from skill_tools.report.model import Report

RUNS = "runs"
REPORT_FILE = f"{RUNS}/report.md"


def keep_run(report: Report, evidence: Evidence) -> None:
    """Write the report as Markdown, and a file of trajectories per framework."""
    runs = inside(evidence.folder, RUNS)
    runs.mkdir(exist_ok=True)
    # Every run is another: no part of what an author commits.
    write_whole(runs / ".gitignore", "*\n")
    write_whole(evidence.folder / REPORT_FILE, write_markdown(report, evidence))
    for framework, played in evidence.rollouts.items():
        lines = [t.model_dump_json(by_alias=True) for by in played.values() for t in by.values()]
        write_whole(runs / f"{framework}.jsonl", "\n".join(lines) + "\n")
