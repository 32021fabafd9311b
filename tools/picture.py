"""Make docs/report.svg, the picture in the README: the terminal's report of a real build of Wordle.

usage: python -m tools.picture
"""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

import skill_tools
from skill_tools.report.terminal import print_report

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "report.svg"
ENVIRONMENT = ROOT / "reference_envs" / "wordle_env"
WIDTH = 84


def draw_report(report: skill_tools.Report) -> str:
    """The report as SVG, as a terminal of WIDTH columns shows it."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    print_report(report, console)
    return console.export_svg(
        title="skill-tools build reference_envs/wordle_env", unique_id="report"
    )


if __name__ == "__main__":
    outcome = skill_tools.build(ENVIRONMENT)
    PICTURE.write_text(draw_report(outcome.report), "utf-8")
    print(f"{PICTURE}: {'green' if outcome.report.ok else 'not green'}")
