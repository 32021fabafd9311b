"""Make docs/report.svg and docs/report_red.svg for the README: the terminal output of two real builds of Wordle.

usage: python -m tools.picture [--drawing]

Wordle is built without changes and with one defect, in all its frameworks, which takes two minutes. The
results are kept in picture.json, from which the pictures are drawn. With --drawing, the pictures are only
drawn again. Nothing in them is made up. ``⋮`` marks text that is left out for lack of space.
"""

from __future__ import annotations

import io
import json
import shutil
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel
from rich.console import Console
from rich.text import Text

import skill_tools
from corpora.mutants.corpus import mutants
from skill_tools.report.model import Report
from skill_tools.report.storage.replays import tell_replay
from skill_tools.report.terminal import print_report

ROOT = Path(__file__).resolve().parent.parent
GREEN = ROOT / "docs" / "report.svg"
RED = ROOT / "docs" / "report_red.svg"
RECORDED = Path(__file__).with_name("picture.json")
ENVIRONMENT = ROOT / "reference_envs" / "wordle_env"
MUTANT = "wordle-blank-wins"
"""What is broken, of corpora/mutants."""
SHOWN_AS = "wordle_env"
"""What the folder is called: where it was built is nobody's business."""
WIDTH = 84


class Recorded(BaseModel):
    """Two reports, the defect in the second build, and the output of replaying its first finding."""

    sound: Report
    broken: Report
    defect: str
    replayed: list[str]


def record() -> Recorded:
    """Build Wordle without changes and with the defect, and replay the first finding of the second build."""
    with tempfile.TemporaryDirectory(prefix="skill-tools-picture-") as scratch:
        sound, broken = (Path(scratch) / name / ENVIRONMENT.name for name in ("sound", "broken"))
        (mutant,) = (each for each in mutants() if each.name == MUTANT)
        for folder in (sound, broken):
            shutil.copytree(ENVIRONMENT, folder, ignore=shutil.ignore_patterns("runs"))
        for edit in mutant.edits:
            text = (broken / edit["file"]).read_text("utf-8")
            (broken / edit["file"]).write_text(text.replace(edit["find"], edit["put"]), "utf-8")
        reports = [_placed(skill_tools.build(folder).report) for folder in (sound, broken)]
        (found,) = (each for each in reports[1].findings if each.status == "fail")
        lines = map(str, tell_replay(skill_tools.replay(broken, found.check), []))
        told = "\n".join(lines).splitlines()
    return Recorded(sound=reports[0], broken=reports[1], defect=mutant.defect, replayed=told)


def _placed(report: Report) -> Report:
    """Return the report as if its folder were in the current directory."""
    place = str(Path(report.folder))
    findings = [replace(f, replay=f.replay.replace(place, SHOWN_AS)) for f in report.findings]
    return report.model_copy(update={"folder": SHOWN_AS, "findings": findings})


def recorded() -> Recorded:
    """Return the last recorded reports."""
    return Recorded.model_validate_json(RECORDED.read_text("utf-8"))


def draw_green(found: Recorded) -> Console:
    """Draw the terminal output of the sound build, WIDTH columns wide. ``export_svg`` turns it into a picture."""
    console = _terminal()
    _print_command(console, f"skill-tools build {SHOWN_AS}")
    shown, left_out = _with_common_reasons(found.sound)
    print_report(shown, console)
    console.print(
        Text(f"⋮ {left_out} more reasons, for which one check each was skipped"), style="dim"
    )
    return console


def draw_red(found: Recorded) -> Console:
    """Draw the terminal output of the build with a defect, and of replaying its first finding."""
    console = _terminal()
    console.print(
        Text(f"# With one defect: {found.defect[0].lower()}{found.defect[1:]}"), style="italic"
    )
    _print_command(console, f"skill-tools build {SHOWN_AS}")
    console.print(Text("⋮"), style="dim")
    told = [each for each in found.broken.findings if each.status != "skip"]
    update = {"findings": told, "variants": [], "not_played": ""}
    print_report(found.broken.model_copy(update=update), console)
    console.print(Text("⋮"), style="dim")
    console.print()
    (finding,) = (each for each in told if each.status == "fail")
    _print_command(console, finding.replay)
    console.print(Text("⋮"), style="dim")
    first = next(n for n, line in enumerate(found.replayed) if line.startswith("step 1"))
    for line in found.replayed[first:]:
        console.print(Text(line))
    return console


PICTURES = {GREEN: draw_green, RED: draw_red}
"""What draws each picture."""


def _terminal() -> Console:
    return Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)


def _print_command(console: Console, command: str) -> None:
    console.print(Text.assemble(("$ ", "bold green"), (command, "bold")))


def _with_common_reasons(report: Report) -> tuple[Report, int]:
    """Return the report without the skipped checks that have a unique reason, and the number of these reasons."""
    reasons = Counter(each.message for each in report.findings if each.status == "skip")
    alone = {reason for reason, count in reasons.items() if count == 1}
    kept = [f for f in report.findings if f.status != "skip" or f.message not in alone]
    return report.model_copy(update={"findings": kept}), len(alone)


if __name__ == "__main__":
    if "--drawing" not in sys.argv[1:]:
        RECORDED.write_text(
            json.dumps(record().model_dump(exclude_defaults=True), indent=1) + "\n", "utf-8"
        )
    for path, draw in PICTURES.items():
        path.write_text(
            draw(recorded()).export_svg(title="skill-tools", unique_id=path.stem), "utf-8"
        )
        print(path)
