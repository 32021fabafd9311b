"""EPI001 to 005: whether episodes begin, end and refuse calls as the domain contract requires."""

from __future__ import annotations

from collections.abc import Iterator

from skill_tools.checks.check import Hit, Place, Status, check, note, place_of, skip
from skill_tools.checks.needs import MAX_TURNS, PLAYED, PROBED, SANDBOX, probe
from skill_tools.checks.reading.episodes import (
    cause,
    counted,
    judged,
    named,
    of_policy,
    of_the_domain,
)
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.grading.graded import LACKING, STAND_IN

WRONG_RESULT = (
    "return text, PNG bytes, a dict, dataclass or pydantic model, or a list of them; "
    "set reward to float(...) and done to bool(...)"
)
"""The fix if the domain returned something that no variant can carry."""


@check(
    "EPI001",
    "failed-episode",
    shows="call-breaks",
    fix="raise InvalidAction for calls that the model may not make; fix every other exception",
    needs=[PLAYED],
    trusts="runs",
    fix_elsewhere="return a refusal for calls that the model may not make, exclude invalid values "
    "in the schema, and fix every other exception",
    stage="evidence",
)
def failed_episode(evidence: Evidence) -> Iterator[Hit]:
    """No episode fails, whatever the policy does.

    A failed episode has no score, so in training it leaves a gap in the batch or causes a crash. If an episode fails
    only in a variant, PAR001 reports it instead.
    """
    for label, why in evidence.unsolved.items():
        if not why.alone and of_the_domain(evidence, why):
            message = f"{label}: {why.message}, while the oracle was simulating"
            yield Hit(message, place=Place(task=label))
    for trajectory in [*judged(evidence), *(evidence.reference.reseeded or {}).values()]:
        if trajectory.end == "failed":
            message = f"{named(trajectory)}: {cause(trajectory)}"
            if trajectory.failure and trajectory.failure.kind == STAND_IN:
                yield note(f"after a reply from a stand-in for the judge: {message}", trajectory)
            elif trajectory.failure and trajectory.failure.kind == LACKING:
                yield note(f"the audit could not play it: {message}", trajectory)
            else:
                fix = WRONG_RESULT if ": WrongResult: " in message else ""
                yield Hit(message, trajectory, place_of(trajectory), fix=fix)


@check(
    "EPI002",
    "solution-never-ends",
    fix="set done when the task is solved or lost, and make the oracle play until done; if "
    "episode.max_turns is too low, raise it",
    needs=[PLAYED],
    plays=["oracle"],
    after=["EPI010"],
    stage="consequence",
)
def solution_never_ends(evidence: Evidence) -> Iterator[Hit]:
    """The world itself ends the oracle's episodes, before the turn limit is reached or the oracle stops.

    If `done` is never set, every episode runs to the limit, and the agent spends turns without reward. In a game of
    chance, the oracle may stop earlier, because the next call may lose.
    """
    ever = any(trajectory.end == "terminated" for trajectory in judged(evidence))
    may_stop = ever and evidence.declaration.best == "luck"
    wrong = ("truncated",) if may_stop else ("truncated", "stopped")
    for trajectory in (t for t in of_policy(evidence, "oracle") if t.end in wrong):
        why = (
            "which is the turn limit" if trajectory.end == "truncated" else "and `done` was not set"
        )
        why = why if ever else "and no policy's call ever set `done`"
        what = f"{trajectory.end} after {len(trajectory.steps)} steps, {why}"
        yield Hit(f"{named(trajectory)}: {what}", trajectory, place_of(trajectory))


@check(
    "EPI003",
    "call-after-end-played",
    shows="late-reward",
    fix="refuse every call once done is set; in a variant that our renderer wrote, report a defect of skill-tools",
    needs=[PLAYED],
    plays=["past_done"],
    after=["EPI002"],
    fix_elsewhere="refuse every call once the episode is done; check this first in every step, give no reward and do "
    "not count the call",
)
def call_after_end_played(evidence: Evidence) -> Iterator[Hit]:
    """A call after the end is refused, gets no reward and changes nothing.

    A world that continues after its end rewards a policy for ignoring the end.
    """
    called = 0
    for trajectory in evidence.every:
        ended, late = False, []
        for number, step in enumerate(trajectory.steps, 1):
            called += ended
            if ended and (step.error != "episode_over" or step.reward or not step.done):
                late.append((number, step))
            ended = ended or step.done
        if late:
            # A reward is worse than an accepted call.
            number, step = next((each for each in late if each[1].reward), late[0])
            paid = f" and earned {step.reward:g}" if step.reward else ""
            how = "counted as a step in the state" if step.error == "counted" else "accepted"
            message = f"{named(trajectory)}: step {number} was {how} after the end{paid}"
            # Others leave this to their callers; a reward is always wrong.
            level: Status | None = "warn" if evidence.audit.audited and not paid else None
            yield Hit(message, trajectory, place_of(trajectory, step), level)
    if not called and any(each.model == "past_done" for each in evidence.every):
        yield skip(
            "no policy called a tool after the end of an episode: no episode ended, or the "
            "framework stops asking for calls"
        )


@check(
    "EPI004",
    "no-turn-limit",
    fix="render the variant again; if the defect remains, report it",
    needs=[PLAYED, MAX_TURNS],
    plays=["turn_limit"],
)
def no_turn_limit(evidence: Evidence) -> Iterator[Hit]:
    """No episode is longer than episode.max_turns, even with a policy that never stops.

    Without a limit, one stuck model occupies a rollout worker indefinitely. Refused calls that cost no turn have a
    separate limit.
    """
    turns, free = MAX_TURNS.of(evidence), evidence.declaration.max_refusals
    limit = free or turns
    for trajectory in evidence.every:
        refused = len([step for step in counted(trajectory) if step.error and free])
        if len(counted(trajectory)) - refused > turns or (free and refused > free):
            what = f"{len(counted(trajectory))} calls, {refused} of them free refusals"
            yield Hit(f"{named(trajectory)}: {what}", trajectory, place_of(trajectory))
        if trajectory.model != "turn_limit" or trajectory.end == "terminated":
            continue
        if trajectory.end != "truncated" or len(counted(trajectory)) != limit:
            played = len(counted(trajectory))
            what = f"{trajectory.end} after {played} of {limit} turns"
            yield Hit(f"{named(trajectory)}: {what}", trajectory, place_of(trajectory))


@check(
    "EPI005",
    "observation-empty",
    fix="return text that says what happened, or an image",
    needs=[PLAYED],
)
def observation_empty(evidence: Evidence) -> Iterator[Hit]:
    """Every step shows the agent something.

    An empty observation reads as "nothing happened", and models then repeat themselves.
    """
    for trajectory in evidence.every:
        for number, step in enumerate(trajectory.steps, 1):
            if not step.text.strip():
                message = f"{named(trajectory)}: step {number} ({step.tool}) shows nothing"
                yield Hit(message, trajectory, place_of(trajectory, step))
                break
    if not any(trajectory.steps for trajectory in evidence.every):
        yield skip("no policy called a tool")


@check(
    "EPI013",
    "lost-sandbox-answered",
    fix="do not catch sandbox errors: they are not caused by the agent",
    needs=[SANDBOX, probe("lost_sandbox")],
)
def lost_sandbox_answered(evidence: Evidence) -> Iterator[Hit]:
    """If the sandbox is lost, the next call fails the episode instead of returning an ordinary observation.

    An episode that continues without its sandbox scores 0.0, and training then punishes the model.
    """
    if found := PROBED.of(evidence).unbroken:
        how = f"as {found.error}" if found.error else "as played"
        message = (
            f"the sandbox was closed, but then {found.tool} was answered {how}: {found.said!r}"
        )
        yield Hit(message, place=Place(tool=found.tool))


CHECKS = (
    failed_episode,
    solution_never_ends,
    call_after_end_played,
    no_turn_limit,
    observation_empty,
    lost_sandbox_answered,
)
