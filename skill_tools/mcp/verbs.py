"""The work of a job, which runs in its own process.

usage: python -P -m skill_tools.mcp.verbs REQUEST RESULT

REQUEST is a file with {"verb", "folder", "options"}. Progress goes to stdout, one JSON line per message;
RESULT is written completely or not at all.
"""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import skill_tools
from skill_tools.errors import SkillToolsError
from skill_tools.files import write_whole
from skill_tools.mcp.answer_size import plain, plain_episodes, plain_report, plain_study, word
from skill_tools.report.storage.runs import PAGE_FILE, runs_of


def run_request(request: Path, result: Path) -> None:
    """Process a request in a job's process and write its result; an expected error is also written as a result."""
    asked = json.loads(request.read_text("utf-8"))
    try:
        found = _VERBS[asked["verb"]](Path(asked["folder"]), **asked["options"])
    except SkillToolsError as error:
        found = {"error": word(error)}
    write_whole(result, json.dumps(found))


def _check(folder: Path) -> dict[str, Any]:
    outcome = skill_tools.check(folder)
    found = [plain(finding) for finding in outcome.failures]
    return {"environment": outcome.report.environment, "findings": found}


def _validate(folder: Path, **options: Any) -> dict[str, Any]:
    outcome = skill_tools.validate(folder, **options, progress=_tell)
    files = {"report_file": str(outcome.report_file), "page_file": str(outcome.page_file)}
    return {"report": plain_report(outcome.report) | files}


def _study(folder: Path, **options: Any) -> dict[str, Any]:
    found = skill_tools.study(folder, **options, progress=_tell)
    return {"study": plain_study(found) | {"page_file": str(runs_of(folder) / PAGE_FILE)}}


def _rollout(folder: Path, framework: str, policy: str, **options: Any) -> dict[str, Any]:
    _tell(f"{framework}: rolling out {policy}")
    options["indices"] = tuple(options["indices"])
    played = skill_tools.rollout(folder, framework, policy, **options, on_line=_tell)
    return {"episodes": plain_episodes(played)}


_VERBS: dict[str, Callable[..., dict[str, Any]]] = {
    "check": _check,
    "validate": _validate,
    "study": _study,
    "rollout": _rollout,
}


def _tell(line: str, what: str = "") -> None:
    said = f"{line}: {what}" if what else line
    print(json.dumps({"progress": said[:200]}), flush=True)


def _end(number: int, frame: object) -> None:
    from skill_tools.runtime import supervise

    # Threads wait for the rollouts; end those first to avoid waiting for the threads.
    supervise.end_all()
    sys.exit(128 + number)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _end)
    run_request(Path(sys.argv[1]), Path(sys.argv[2]))
