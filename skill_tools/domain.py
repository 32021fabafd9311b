"""Asking the author's code, which is untrusted and may never return, in another process."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from skill_tools import interpreters, supervise, venvs
from skill_tools.environment import child_environment
from skill_tools.errors import DomainError
from skill_tools.policies import Script
from skill_tools.render import plan
from skill_tools.spec import EnvSpec

PROBE = Path(__file__).with_name("probe.py")
TIME_LIMIT = 60.0
"""Seconds for all jobs of one request; SKILL_TOOLS_DOMAIN_SECONDS says otherwise."""


@dataclass(frozen=True)
class Job:
    """One question to the author's code; ``what`` names it in error messages."""

    do: str
    what: str
    arguments: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    """The value of a job, or why there is none."""

    value: Any = None
    error: str = ""


def ask(
    spec: EnvSpec,
    folder: Path,
    jobs: Sequence[Job],
    *,
    hash_seed: str = "0",
) -> list[Answer]:
    """Run jobs in one fresh process; an answer per job, in order.

    A job that raises gives an Answer with an error. Raises DomainError when the process dies or
    does not end within TIME_LIMIT seconds, naming the job it was at.
    """
    limit = float(os.environ.get("SKILL_TOOLS_DOMAIN_SECONDS", TIME_LIMIT))
    with tempfile.TemporaryDirectory(prefix="skill-tools-") as scratch:
        request, results, log = (Path(scratch) / name for name in ("request", "results", "log"))
        # What is planned, not what lies in the folder: nothing need be rendered to be asked.
        (Path(scratch) / "episode.py").write_text(plan(spec, [])["episode.py"], "utf-8")
        request.write_text(json.dumps(_request(spec, folder, scratch, jobs)), "utf-8")
        outcome = supervise.run(
            [_python(spec), "-I", "-B", str(PROBE), str(request), str(results)],
            cwd=folder,
            env=child_environment({"PYTHONHASHSEED": hash_seed}, keep=spec.secrets),
            timeout=limit,
            log=log,
        )
        lines = results.read_text("utf-8").splitlines() if results.exists() else []
    if len(lines) < len(jobs):
        at = jobs[len(lines)].what
        if outcome.timed_out:
            raise DomainError(f"{at} did not end within {limit:g} s; {_HANGS}")
        raise DomainError(f"the process ended while {at}:\n{outcome.log_tail}")
    return [_answer(json.loads(line)) for line in lines]


_HANGS = "look for an endless loop there, or set SKILL_TOOLS_DOMAIN_SECONDS"


def _python(spec: EnvSpec) -> str:
    """An interpreter in which the domain can be imported: ours, unless it needs packages."""
    if not spec.packages:
        return sys.executable
    wanted = [*DOMAIN_REQUIREMENTS, *spec.packages]
    return str(venvs.base(wanted, interpreters.find(OUR_PYTHON)).python)


DOMAIN_REQUIREMENTS = ("jsonschema>=4.23,<5",)
OUR_PYTHON = ">=3.11"


def one(spec: EnvSpec, folder: Path, job: Job, **options: Any) -> Any:
    """The value of a single job; raises DomainError when it fails."""
    (answer,) = ask(spec, folder, [job], **options)
    if answer.error:
        raise DomainError(f"{job.what} failed: {answer.error}")
    return answer.value


def play_job(
    what: str, episodes: Sequence[tuple[str, int, int | None, Script]], max_turns: int
) -> Job:
    """A job that plays scripts on bare episodes, in one process and in alternation."""
    request = [
        {
            "split": split,
            "index": index,
            "seed": seed,
            "max_turns": max_turns,
            "script": [[[c.tool, _wire(c.arguments)] for c in turn.calls] for turn in script],
        }
        for split, index, seed, script in episodes
    ]
    return Job("play", what, {"episodes": request})


def _wire(arguments: Any) -> Any:
    # The same reading that rollouts give a model's arguments: not an object, so passed on as text.
    return {"_raw": arguments} if isinstance(arguments, str) else dict(arguments)


def _request(spec: EnvSpec, folder: Path, scratch: str, jobs: Sequence[Job]) -> dict[str, Any]:
    return {
        "rendered": scratch,
        "folder": os.fspath(folder.resolve()),
        "package": spec.package,
        "domain": spec.domain.split(":"),
        "oracle": spec.oracle.split(":"),
        "tools": list(spec.tools),
        "jobs": [{"do": job.do, "with": job.arguments} for job in jobs],
    }


def _answer(line: dict[str, Any]) -> Answer:
    error = line.get("error")
    if not error:
        return Answer(line["value"])
    place = f"{error['where']}: " if error["where"] else ""
    return Answer(error=f"{place}{error['kind']}: {error['message']}")
