"""The report of a run, made from Inspect's logs: in a terminal, as JSON, and as one HTML page."""

from __future__ import annotations

from pathlib import Path

from evals.report import benchmark, model, page, result, terminal


def write(folder: Path) -> bool:
    """Report the run in a folder. Return whether the scripted solvers got the required scores."""
    results = result.read(folder / "logs")
    found = model.Report.of(results)
    (folder / "report.json").write_text(found.model_dump_json(indent=1), "utf-8")
    (folder / "report.html").write_text(page.render(found), "utf-8")
    (folder / "benchmark.json").write_text(benchmark.render(found), "utf-8")
    terminal.show(found, folder)
    return not found.surprises
