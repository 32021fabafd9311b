"""The process of one job: runs a verb of the library, says how it goes, writes what came of it.

usage: python -P -m skill_tools.server.worker REQUEST RESULT

REQUEST is a file with {"verb", "folder", "options"}. Progress goes to stdout, a JSON line each;
RESULT is written whole or not at all. A process, so that a job can be ended in the middle of
anything, and so that whatever it does to memory, threads or the interpreter ends with it.
"""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from skill_tools import pipeline
from skill_tools.errors import SkillToolsError, SpecError
from skill_tools.files import write_whole
from skill_tools.runtime import supervise
from skill_tools.server import outcomes
from skill_tools.server.answers import spoken
from skill_tools.server.fitting import LONG, clip


def main(request: Path, result: Path) -> None:
    """Do what the request says; an expected error is a result, too."""
    asked = json.loads(request.read_text("utf-8"))
    try:
        found = VERBS[asked["verb"]](Path(asked["folder"]), **asked["options"])
    except SpecError as error:
        found = {"error": f"env.yaml has {len(error.problems)} problem(s); call check_spec"}
    except SkillToolsError as error:
        found = {"error": spoken(clip(str(error), LONG))}
    write_whole(result, json.dumps(found))


def check(folder: Path) -> dict[str, Any]:
    """Look at the author's files without playing."""
    report = pipeline.check(folder).report
    found = outcomes.findings_of(report, ("fail",))
    return {"environment": report.environment, "findings": found}


def validate(
    folder: Path, frameworks: Sequence[str] | None, count: int, split: str | None
) -> dict[str, Any]:
    """Play every policy in every variant and check what was seen."""
    outcome = pipeline.validate(folder, frameworks, count=count, split=split, progress=_progress)
    return {"report": outcomes.report_of(outcome.report, folder / pipeline.RUNS / "report.md")}


def rollout(
    folder: Path, framework: str, policy: str, count: int, split: str | None
) -> dict[str, Any]:
    """Play one policy in one variant."""
    _progress(framework, f"rolling out {policy}")
    played = pipeline.roll_out_policy(
        folder, framework, policy, count=count, split=split, on_line=_line
    )
    return {"episodes": outcomes.episodes_of(played)}


VERBS = {"check": check, "validate": validate, "rollout": rollout}


def _line(line: str) -> None:
    print(json.dumps({"progress": line[:200]}), flush=True)


def _progress(who: str, what: str) -> None:
    _line(f"{who}: {what}")


def _ended(number: int, frame: object) -> None:
    # Threads wait for the rollouts; end those first, or we would wait for the threads.
    supervise.end_all()
    sys.exit(128 + number)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _ended)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
