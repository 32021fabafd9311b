"""Auditing: discover and play a foreign environment, and return evidence."""

from __future__ import annotations

import json
import re
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from skill_tools.audit.driver import DriverSession, SeenEpisode
from skill_tools.audit.grading.answers import grade_in_audit
from skill_tools.audit.groups import play_groups
from skill_tools.audit.scripts import Call, write_groups
from skill_tools.audit.solutions import Place, match_solutions, solved_in_rows
from skill_tools.audit.target import Target
from skill_tools.audit.target_venv import target_venv
from skill_tools.errors import SkillToolsError
from skill_tools.evidence.audited import Audited
from skill_tools.evidence.declaration import Declaration
from skill_tools.evidence.evidence import AuditRun, Evidence, VariantRuns, gather_rollouts
from skill_tools.evidence.grading.graded import NOT_RETURNED, Graded
from skill_tools.evidence.grading.rows import RowSurvey
from skill_tools.evidence.reference_run import Tasks
from skill_tools.evidence.trajectory import Played, by_label
from skill_tools.graders.datasets.files import rows_of
from skill_tools.graders.datasets.survey import survey_rows, survey_stream
from skill_tools.graders.grader_audit import MOST
from skill_tools.runtime.progress import Progress, silent

CALL_SECONDS = 30.0
"""Default time limit of a call in seconds: a whole batch waits for a slow one."""
SECONDS = 600.0
"""Default time limit in seconds for playing everything: as long as a person waits for a report."""
ROWS = 1_000
"""Maximum number of tasks to list if listing is free; the audit searches them for copies."""
FOR_ANSWERS = 0.5
"""Share of the time limit that correct and wrong answers may use."""
NEVER_SCORED = (
    "no reply was scored in time: the environment may be waiting for something that is missing, such as "
    "a worker, a network, or further replies to the same prompt"
)
"""Why nothing was judged if no call ever returned."""
NEVER_READ = "the server expects requests in a different form from those that its framework sends"
MALFORMED = re.compile(r": 422: ")
"""Status of a request that has the wrong form."""
VARIES = ["path", "address", "time", "duration", "measured"]
"""Fields that may differ between two runs of an environment that cannot declare them; see
``checks.reading.variation``."""


class FoundEnvironment(BaseModel):
    """The facts that a driver must report before an episode can be played."""

    name: str
    tools: list[dict[str, Any]]
    places: list[dict[str, Any]]
    prompt: list[dict[str, Any]] = []
    splits: dict[str, int] = {}
    title: str | None = None
    description: str | None = None


def collect_audit(
    target: Target,
    solutions: Mapping[Place, list[Call]],
    *,
    count: int,
    seconds: float,
    call_seconds: float,
    reward_range: tuple[float, float] | None,
    progress: Progress,
) -> Evidence:
    """Discover and play a target. If playing fails, record the failure as evidence instead of raising an error.

    Raises InterpreterError or InstallError if the target's venv cannot be created, and SkillToolsError if a
    solution belongs to no task.
    """
    began, until = time.perf_counter(), time.monotonic() + seconds
    say = partial(progress, target.framework.name)
    driven = DriverSession(
        target, target_venv(target, progress), call_seconds, url=target.url, say=say
    )
    declared = Declaration(name=target.name, reward_range=reward_range, varies=VARIES)
    audited = Audited(asked=target.asked, left_out=target.left_out)
    with ExitStack() as stack:
        target = stack.enter_context(as_lines(target))
        driven = replace(driven, target=target)
        if target.served:
            say("starting the server")
            try:
                server = stack.enter_context(driven.serving())
            except SkillToolsError as error:
                return _broken(declared, audited, target, str(error), began)
            driven = replace(driven, url=server.url)
            audited = replace(audited, startup=server.startup)
        say("discovering tools and tasks")
        # Single questions are cheap, so more tasks are graded than games are played.
        many = count if target.served and not target.tasks else max(count, ROWS)
        ended = driven.ask("discover", max(60.0, call_seconds * 4), count=many)
        found = read_found(ended.lines)
        if found is None:
            why = ended.why or "discovery returned nothing"
            if target.served and (raised := server.raised):
                why = f"{raised}; the client saw: {why}"
            return _broken(declared, audited, target, why, began)
        rows = _survey(target, found)
        if lacks := missing_of(found):
            seen = AuditRun(replace(audited, found=found, lacks=lacks), rows=rows)
            seconds = time.perf_counter() - began
            return Evidence(_declared(declared, found), audit=seen, seconds=seconds)
        played = replace(driven, found={**found, "places": found["places"][: max(count, MOST)]})
        say("submitting right and wrong answers")
        graded, solved, used = _solve(played, solutions, count, seconds * FOR_ANSWERS, reward_range)
        audited = replace(audited, solutions=(used, len(solutions)))
        evidence, audited = _play(played, declared, audited, solved, count, until, say)
        if target.served:
            audited = replace(audited, memory_mb=server.memory_mb)
    if why := why_never_scored(graded, evidence):
        return _broken(declared, audited, target, why, began)
    say("done")
    seen = AuditRun(audited, graded, rows)
    return replace(evidence, audit=seen, seconds=time.perf_counter() - began)


@contextmanager
def as_lines(target: Target) -> Iterator[Target]:
    """Yield the target with its rows as JSON lines, which drivers read. Raise SkillToolsError for invalid rows."""
    if target.tasks is None or target.tasks.suffix == ".jsonl":
        yield target
        return
    with tempfile.TemporaryDirectory(prefix="skill-tools-") as scratch:
        lines = Path(scratch) / "rows.jsonl"
        rows = (json.dumps(dict(row), default=str) for _, row in rows_of([target.tasks]))
        lines.write_text("".join(f"{row}\n" for row in rows), "utf-8")
        yield replace(target, tasks=lines)


def _survey(target: Target, found: Mapping[str, Any]) -> RowSurvey | None:
    """Return the defects in the tasks' rows, or None if the rows are unknown or contain no questions."""
    tasks = [place["task"] for place in found["places"] if isinstance(place.get("task"), dict)]
    try:
        if target.tasks:
            return survey_stream(rows_of([target.tasks]))
        return survey_rows({"tasks": tasks}) if tasks else None
    except SkillToolsError:
        return None


def _solve(
    driven: DriverSession,
    solutions: Mapping[Place, list[Call]],
    count: int,
    seconds: float,
    reward_range: tuple[float, float] | None,
) -> tuple[Graded | None, dict[tuple[Any, ...], list[Call]], int]:
    """Return the grader's results, the calls that solve each task, and how many of the given solutions were used."""
    found = driven.found or {}
    given = match_solutions(solutions, found)
    top = reward_range[1] if reward_range else 1.0
    graded, solved = grade_in_audit(driven, given, seconds, top)
    places = found["places"] if graded else found["places"][:count]
    used = sum(_key(place) in given for place in places)
    listed = {} if given or solved or found.get("in_text") else solved_in_rows(driven)
    return graded, {**listed, **solved, **given}, used


def _key(place: Mapping[str, Any]) -> tuple[Any, ...]:
    return place["split"], place["index"], place["seed"]


def _play(
    driven: DriverSession,
    declared: Declaration,
    audited: Audited,
    solutions: Mapping[tuple[Any, ...], list[Call]],
    count: int,
    until: float,
    say: Any,
) -> tuple[Evidence, Audited]:
    """Play the tasks in several rounds. Return the episodes and the audit's other observations."""
    found = driven.found or {}
    found = {**found, "places": found["places"][:count]}
    rounds = write_groups(found, solutions)
    say(f"playing {_scripts(rounds['first'])} episodes")
    got, left = play_groups(driven, rounds["first"], until - time.monotonic())
    # In another process, with another hash seed.
    more = [group for name in ("again", "reseeded", "together") for group in rounds[name]]
    say(f"replaying {_scripts(more)} episodes")
    got_again, left_again = play_groups(driven, more, until - time.monotonic())
    first = [each for several in got.values() for each in several]
    audited = replace(
        audited,
        found=found,
        again=_arranged(got_again, "again"),
        reseeded=_arranged(got_again, "reseeded"),
        together=_arranged(got_again, "together"),
        seen={(e.trajectory.model, e.trajectory.label): e.seen for e in first},
        left=left + left_again,
        solved=any(each.trajectory.model == "oracle" for each in first),
    )
    gathered = gather_rollouts(
        _declared(declared, found), [e.trajectory for e in first], _tasks(found)
    )
    return gathered, audited


def why_never_scored(graded: Graded | None, evidence: Evidence) -> str:
    """Return the reason if no episode and no reply has a score, otherwise "". An unknown reason also gives "".

    Two reasons are known: no call returned, or the server rejected the format of the requests.
    """
    failures = [each.failure for each in evidence.every]
    known = [
        each
        for each in failures
        if each and (each.kind == NOT_RETURNED or MALFORMED.search(each.message))
    ]
    scored = graded and any(each.paid is not None for each in graded.replies)
    if scored or not known or len(known) < len(failures):
        return ""
    hung = known[0].kind == NOT_RETURNED
    return f"{NEVER_SCORED if hung else NEVER_READ}: {known[0].message[:300]}"


def missing_of(found: Mapping[str, Any]) -> str:
    """Return the arguments or packages that discovery found to be missing, as text, or "" if nothing is missing."""
    return str(found.get("lacks") or "")


def read_found(lines: Sequence[bytes]) -> dict[str, Any] | None:
    """Parse the result of discovery. Return None if the result is invalid, lists no tools, or lists no tasks."""
    try:
        found = json.loads(lines[0])
        FoundEnvironment.model_validate(found)
    except (IndexError, ValueError, RecursionError):
        return None
    return found if found["tools"] and found["places"] else None


def _declared(declared: Declaration, found: Mapping[str, Any]) -> Declaration:
    said = FoundEnvironment.model_validate(found)
    fields = {"name": said.name, "title": said.title or said.name, "tools": said.tools}
    return declared.model_copy(update={**fields, "description": said.description or ""})


def _tasks(found: Mapping[str, Any]) -> Tasks:
    """Return the played tasks, or the seeds if the environment lists no tasks."""
    places, sizes = found["places"], found.get("splits") or {}
    split = places[0]["split"]
    if split is None:
        return Tasks("seeds", [{"seed": each["seed"]} for each in places], {"seeds": len(places)})
    tasks = [each.get("task") for each in places]
    tasks = [task if isinstance(task, dict) else {"task": task} for task in tasks]
    return Tasks(split, tasks, {split: len(tasks), **sizes})


def _scripts(groups: Sequence[Mapping[str, Any]]) -> int:
    return sum(len(group["scripts"]) for group in groups)


def _arranged(got: Mapping[str, list[SeenEpisode]], name: str) -> Played:
    """Return the episodes of the round ``name``, grouped by policy and label."""
    played = [several for key, several in got.items() if key.partition("/")[0] == name]
    return by_label(each.trajectory for several in played for each in several)


def _broken(
    declared: Declaration, audited: Audited, target: Target, why: str, began: float
) -> Evidence:
    return Evidence(
        declared,
        variants=VariantRuns(broken={target.framework.name: why}),
        audit=AuditRun(audited=replace(audited, broken=why)),
        seconds=time.perf_counter() - began,
    )


def ask_validation(target: Target, seen: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the report of OpenEnv's own validation, or None if there is no report.

    The validation runs in the target's venv and reads ``seen``, the audit's observations.
    """
    driven = DriverSession(target, target_venv(target, silent), CALL_SECONDS)
    ended = driven.ask("validate", SECONDS, target=target.name, seen=seen)
    try:
        report: dict[str, Any] = json.loads(ended.lines[0])
    except (IndexError, ValueError, RecursionError):
        return None
    return report
