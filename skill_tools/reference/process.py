"""Queries to the author's code, which runs in another process because it is untrusted and may never return."""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from rl_env_harness.arguments import clean_all

from skill_tools import backends
from skill_tools.errors import DomainError
from skill_tools.policies.scripted import Script
from skill_tools.reference.children import CHILD, child
from skill_tools.reference.replies import fit
from skill_tools.render import wheel
from skill_tools.render.plan import DOMAIN_REQUIREMENTS, SHARED_REQUIREMENTS, plan, texts
from skill_tools.runtime import interpreters, supervise, venvs
from skill_tools.runtime.environment import child_environment, withheld
from skill_tools.spec.model import EnvSpec

TIME_LIMIT = 60.0
"""Seconds for one job, unless SKILL_TOOLS_DOMAIN_SECONDS is set."""
LATER = 200.3 * 86_400
"""Seconds to advance the clock ``elsewhere``: the result is another month, weekday, hour and daylight saving."""
ELSEWHERE = {"TZ": "Asia/Kathmandu", "LC_ALL": "C.UTF-8", "LANG": "tr_TR.UTF-8"}
STARTING = 60.0
"""Seconds for starting the process, in addition to its jobs."""


@dataclass(frozen=True)
class Query:
    """One question to the author's code.

    Attributes:
        what: The name of the question in error messages.
        share: The factor by which the time limit is multiplied.
    """

    do: str
    what: str
    arguments: dict[str, Any] = field(default_factory=dict)
    share: int = 1


@dataclass(frozen=True)
class Reply:
    """The answer to a query, or the exception and the line of code that raised it.

    ``value`` has the type that ``replies.ANSWERS`` lists for the job.
    """

    value: Any = None
    error: str = ""
    kind: str = ""
    where: str = ""


def time_limit() -> float:
    """Return the time limit, in seconds, of a job whose share is 1."""
    return float(os.environ.get("SKILL_TOOLS_DOMAIN_SECONDS", TIME_LIMIT))


def ask(
    spec: EnvSpec,
    folder: Path,
    jobs: Sequence[Query],
    *,
    hash_seed: str = "0",
    elsewhere: bool = False,
    cwd: Path | None = None,
    stand_ins: Path | None = None,
    endpoint: Mapping[str, str] | None = None,
) -> list[Reply]:
    """Run jobs in one fresh process, and return a reply per job, in the same order. See ``ask_apart``."""
    how: dict[str, Any] = {"hash_seed": hash_seed, "elsewhere": elsewhere, "cwd": cwd}
    (replies,) = ask_apart(spec, folder, [jobs], stand_ins=stand_ins, endpoint=endpoint, **how)
    return replies


# It owns the files and the process of all groups, so each of its arguments is one of theirs.
def ask_apart(
    spec: EnvSpec,
    folder: Path,
    groups: Sequence[Sequence[Query]],
    *,
    hash_seed: str = "0",
    elsewhere: bool = False,
    cwd: Path | None = None,
    stand_ins: Path | None = None,
    endpoint: Mapping[str, str] | None = None,
) -> list[list[Reply]]:
    """Run each group of jobs in a process that no other group has used, and return the replies in the same order.

    If a job raises an exception, its reply holds the error. Raises DomainError if a process dies, a job takes
    longer than TIME_LIMIT seconds times its share, or an answer does not fit its model. The message names the job
    and the author's line, or the field. The time of a group's first job includes the import of the author's code.

    Args:
        elsewhere: Whether to use a different clock, time zone, locale and working folder.
        cwd: The working folder, by default the environment's.
        stand_ins: The folder with the stand-ins of models, by default ``folder``.
        endpoint: The environment variables, including keys, that let the process reach the models inside the
            environment.
    """
    limit = time_limit()
    jobs = [job for group in groups for job in group]
    alone = spec.backend == "none"  # a session's sockets and programs have their own rules
    settings = _settings(spec, hash_seed, elsewhere=elsewhere, stand_ins=stand_ins)
    environment = child_environment(
        {**settings, **(endpoint or {})}, keep=backends.kept_variables(spec)
    )
    with tempfile.TemporaryDirectory(prefix="skill-tools-") as scratch:
        request, results, stacks, log = (
            Path(scratch) / name for name in ("request", "results", "stacks", "log")
        )
        _write_rendered(spec, Path(scratch))
        asked = _request(spec, folder, scratch, groups, limit)
        asked |= {"results": str(results), "stacks": str(stacks), "log": str(log)}
        asked["cwd"] = str(cwd or (scratch if elsewhere and alone else folder))
        if alone:
            asked["environment"] = {"TMPDIR": tempfile.mkdtemp(dir=scratch)}
            asked["later"] = LATER if elsewhere else 0.0
        request.write_text(json.dumps(asked), "utf-8")
        with child(_python(spec, bool(endpoint)), environment, stays=alone) as process:
            # The process times its jobs; this is for one that no longer does.
            most = STARTING + limit * sum(job.share for job in jobs)
            in_time = process.work_through(request, results, most)
        lines = results.read_text("utf-8").splitlines() if results.exists() else []
        stack = stacks.read_text("utf-8", "replace") if stacks.exists() else ""
        said = log.read_text("utf-8", "replace") if log.exists() else ""
    if len(lines) < len(jobs):
        job = jobs[len(lines)]
        if stack or not in_time:
            place = _hung_at(stack, folder)
            raise DomainError(
                f"{job.what} did not end within {limit * job.share:g} s{place}; {_HANGS}"
            )
        tail = "\n".join(said.splitlines()[-supervise.TAIL_LINES :])
        raise DomainError(f"the process ended while {job.what}:\n{tail}")
    # Values that other JSON readers reject and terminals cannot show stop here.
    kept = backends.kept_variables(spec)
    read = [clean_all(json.loads(line)) for line in lines]
    replies = iter([_answer(job, line, kept) for job, line in zip(jobs, read, strict=True)])
    return [list(islice(replies, len(group))) for group in groups]


def _settings(
    spec: EnvSpec, hash_seed: str, *, elsewhere: bool, stand_ins: Path | None
) -> dict[str, str]:
    """Return the environment variables of the process. They make stand-ins reply instead of models."""
    found = {"PYTHONHASHSEED": hash_seed, **dict.fromkeys(spec.role_variables(), "")}
    if stand_ins:
        found[f"{spec.name}_STAND_INS".upper()] = str(stand_ins.resolve())
    if elsewhere and spec.backend == "none":
        found["HOME"] = "/nonexistent"
    # The programs of a display show the time of their time zone.
    return found | (ELSEWHERE if elsewhere and spec.display is None else {})


_HANGS = "look for an endless loop in that code, or set SKILL_TOOLS_DOMAIN_SECONDS"
_FRAME = re.compile(r'  File "(?P<file>.+)", line (?P<line>\d+) in (?P<function>.+)')


def _write_rendered(spec: EnvSpec, scratch: Path) -> None:
    """Write the modules that a bare episode imports.

    The modules come from the plan, not from the folder, so the author's code can run before it is rendered.
    """
    for path, text in texts(plan(spec, [])).items():
        if path.endswith(".py"):
            (scratch / path).parent.mkdir(parents=True, exist_ok=True)
            (scratch / path).write_text(text, "utf-8")


def _hung_at(stack: str, folder: Path) -> str:
    """Return the innermost line of the author's code in a dump of all threads, preferably in the playing thread."""
    threads = stack.split("\n\n")
    threads.sort(key=lambda thread: str(CHILD) not in thread)
    for thread in threads:
        for frame in map(_FRAME.fullmatch, thread.splitlines()):
            if frame and Path(frame["file"]).is_relative_to(folder.resolve()):
                path = Path(frame["file"]).relative_to(folder.resolve())
                return f", in {frame['function']} at {path}:{frame['line']}"
    return ""


def _python(spec: EnvSpec, asks_models: bool) -> str:
    """Return a Python interpreter that can import the domain. If the domain needs no packages, this is the
    interpreter of skill-tools.
    """
    packages = backends.requirements(spec)
    if not packages:
        return sys.executable
    wanted = [*(SHARED_REQUIREMENTS if asks_models else DOMAIN_REQUIREMENTS), *packages]
    return str(venvs.base(wanted, interpreters.find(OUR_PYTHON)).python)


OUR_PYTHON = ">=3.11"


def one(spec: EnvSpec, folder: Path, job: Query, **options: Any) -> Any:
    """Return the value of a single job. Raises DomainError if the job fails."""
    (answer,) = ask(spec, folder, [job], **options)
    if answer.error:
        raise DomainError(f"{job.what} failed: {answer.error}")
    return answer.value


def play_job(
    what: str, episodes: Sequence[tuple[str, int, int | None, Script]], max_turns: int
) -> Query:
    """Make a job that plays scripts on bare episodes. All episodes run in one process and take turns.

    The job's time limit is the limit for one script, multiplied by the number of scripts.
    """
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
    return Query("play", what, {"episodes": request}, share=max(1, len(request)))


def _wire(arguments: Any) -> Any:
    # As rollouts read a model's arguments: text is passed on if it is not an object.
    return {"_raw": arguments} if isinstance(arguments, str) else dict(arguments)


def _request(
    spec: EnvSpec, folder: Path, scratch: str, groups: Sequence[Sequence[Query]], limit: float
) -> dict[str, Any]:
    return {
        "rendered": scratch,
        "packages": [
            *([os.fspath(wheel.sandbox_source())] if spec.backend != "none" else []),
            *([os.fspath(wheel.harness_source())] if spec.models else []),
        ],
        "folder": os.fspath(folder.resolve()),
        "package": spec.package,
        "domain": spec.domain.split(":"),
        "oracle": spec.oracle.split(":"),
        "by_task": spec.reward.best == "by_task",
        "tools": {name: spec.methods.get(name, name) for name in spec.actions},
        "tasks": spec.tasks.partition(":")[0],
        "groups": [
            [{"do": job.do, "with": job.arguments, "seconds": limit * job.share} for job in jobs]
            for jobs in groups
        ],
    }


def _answer(job: Query, line: dict[str, Any], kept: Collection[str]) -> Reply:
    error = line.get("error")
    if not error:
        return Reply(fit(job.do, job.what, line["value"]))
    place = f"{error['where']}: " if error["where"] else ""
    message = f"{place}{error['kind']}: {error['message']}"
    message += withheld(message, kept)
    return Reply(error=message, kind=error["kind"], where=error["where"])
