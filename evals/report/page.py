"""One self-contained HTML page. Each case opens to its attempts, and each attempt opens to its failures."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from evals.report.model import Report
from evals.report.terminal import describe


def render(report: Report) -> str:
    """Return the HTML page of a report. All text from an attempt is escaped."""
    loader = FileSystemLoader(Path(__file__).parent)
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    return environment.get_template("page.html.jinja").render(report=report, describe=describe)
