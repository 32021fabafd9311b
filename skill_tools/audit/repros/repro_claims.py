"""Choose the repro of an audit's finding from the played and graded episodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from skill_tools.audit.repros.repro import By, Defect, NoRepro, Repro, Run
from skill_tools.audit.repros.repro_replies import REPLIES, Argument, claim_reply
from skill_tools.evidence.audited import FILLER, Audited, filler_length
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.grading.graded import CLOSE
from skill_tools.evidence.grading.shares import Share
from skill_tools.evidence.trajectory import Played, Trajectory

HUNG = ("timeout", "process", "memory")
"""Failures that end the process, or that hang: a script that does so shows nothing."""
MOST_SEEDS = 3
"""Number of seed pairs that a script plays: a single equal pair may be chance."""
NOTHING = "no episode shows the finding"


def claim(defect: Defect, evidence: Evidence, argument: Argument | None) -> Repro | NoRepro:
    """Return the runs that show a defect, or the reason why no runs show it.

    ``argument`` is the argument that receives the replies.
    """
    if evidence.audit.audited is None:
        return NoRepro("the finding does not come from an audit")
    if defect.shows in REPLIES:
        return claim_reply(defect, evidence, argument)
    if defect.shows == "model":
        return NoRepro(
            "the finding is about a model that judges or plays, which a script cannot include"
        )
    make = _EPISODES.get(defect.shows)
    if make is None:
        return NoRepro("the finding is not about a return, and no call shows it")
    if defect.shown is None:
        return NoRepro(NOTHING)
    return make(defect.shown, evidence)


def _pays(shown: Trajectory, evidence: Evidence) -> Repro | NoRepro:
    paid = shown.total
    if not paid:
        return NoRepro("no reward was given")
    what = _what(shown)
    run = _run(shown, what, "less")
    reach = _reach(
        evidence,
        lambda t: (t.total or 0.0) >= paid - CLOSE,
        lambda t: t.model == shown.model,
    )
    shows, fixed = f"{what} earn {paid:g}", f"{what} earn less than {paid:g}"
    return Repro("paid", (run,), shows, fixed, reach, limit=paid)


def _rises(shown: Trajectory, evidence: Evidence) -> Repro | NoRepro:
    several = [t for t in evidence.every if t.label == shown.label and t.model.startswith(FILLER)]
    several = sorted(several, key=lambda each: filler_length(each.model) or 0)
    if len(several) < 2:
        return NoRepro(NOTHING)
    runs = tuple(_run(each, _what(each), "no more than shorter filler") for each in several)
    shows, fixed = "filler earns by its length", "longer filler earns no more than shorter filler"
    return Repro("rises", runs, shows, fixed)


def _untold(shown: Trajectory, evidence: Evidence) -> Repro | NoRepro:
    run = _run(shown, _what(shown), "a numeric reward")
    return Repro("untold", (run,), "no call has a reward", "a call has a reward")


def _breaks(shown: Trajectory, evidence: Evidence) -> Repro | NoRepro:
    failure = shown.failure
    if failure is None or failure.kind in HUNG:
        return NoRepro(f"the episode hung or ended the process ({failure and failure.kind})")
    audited = evidence.audit.audited or Audited()
    calls = audited.of(shown).get("calls")
    if calls is None:
        return NoRepro("the call that broke the episode was not recorded")
    run = _run(shown, _what(shown), "an answer, or a refusal")
    run = Run(**{**vars(run), "calls": tuple(calls)})
    reach = _reach(evidence, lambda t: t.end == "failed", lambda t: True)
    shows, fixed = f"the episode breaks ({failure.kind})", "the episode does not break"
    return Repro("raises", (run,), shows, fixed, reach)


def _late(shown: Trajectory, evidence: Evidence) -> Repro | NoRepro:
    ends = next((n for n, step in enumerate(shown.steps) if step.done), len(shown.steps))
    if not any(step.reward for step in shown.steps[ends + 1 :]):
        return NoRepro("the call after the end was accepted without reward, so no return shows it")
    run = _run(shown, "calls that continue after the end", "no reward for a call after the end")
    return Repro(
        "late", (run,), "a call after the end is rewarded", "no call after the end is rewarded"
    )


def _differs(shown: Trajectory, evidence: Evidence) -> Repro | NoRepro:
    before = _before(shown, evidence)
    run = _run(shown, f"{_what(shown)}, for the first time", "the same both times")
    again = Run(**{**vars(run), "what": f"{_what(shown)}, again"})
    pairs = [
        (first, after)
        for first in evidence.every
        for after in _all(evidence.audit.replayed)
        if (first.model, first.label) == (after.model, after.label)
    ]
    labels = {after.label for _, after in pairs}
    found = {after.label for first, after in pairs if not _same(first, after)}
    return Repro(
        "differs",
        (run, again),
        "the same calls on the same task give a different result when repeated",
        "the same calls on the same task give the same result when repeated",
        Share(len(found), len(labels)).text if found else "",
        by=_compared_by(before, shown),
        apart=True,
    )


def _no_other(shown: Trajectory, evidence: Evidence) -> Repro | NoRepro:
    runs: list[Run] = []
    for after in list(_all(evidence.audit.other_seeds))[:MOST_SEEDS]:
        before = _before(after, evidence)
        if before is not None:
            runs.append(_run(before, f"{_what(before)}, seed {before.seed}", "an episode"))
            runs.append(_run(after, f"{_what(after)}, seed {after.seed}", "another episode"))
    if not runs:
        return NoRepro(NOTHING)
    shows, fixed = "another seed changes nothing", "another seed gives a different episode"
    return Repro("same", tuple(runs), shows, fixed, by="shown")


def _mixed(shown: Trajectory, evidence: Evidence) -> Repro | NoRepro:
    runs = _pair(evidence, "the same as when played alone")
    before = _before(shown, evidence)
    shows = "an episode changes if a second one is open"
    fixed = "an episode does not change if a second one is open"
    by = _compared_by(before, shown)
    return Repro("mixed", runs, shows, fixed, by=by) if len(runs) == 2 else NoRepro(NOTHING)


def _crowded(shown: Trajectory, evidence: Evidence) -> Repro | NoRepro:
    runs = _pair(evidence, "no error while another episode runs")
    shows, fixed = (
        "a second episode cannot be played concurrently",
        "two episodes are played concurrently",
    )
    return Repro("crowded", runs, shows, fixed) if len(runs) == 2 else NoRepro(NOTHING)


def _gives(shown: Trajectory, evidence: Evidence) -> Repro | NoRepro:
    if shown.total is None:
        return NoRepro("the episode that shows the finding has no return")
    rewards = tuple(step.reward for step in shown.steps if step.error is None)
    run = _run(shown, _what(shown), "other rewards")
    told = ", ".join(f"{each:g}" for each in rewards[:10])
    shows = f"the calls earn the reward that the finding states: {told} (return {shown.total:g})"
    return Repro("gives", (run,), shows, "the calls earn a different reward", limit=shown.total)


_EPISODES: Mapping[str, Callable[[Trajectory, Evidence], Repro | NoRepro]] = {
    "episode-rewarded": _pays,
    "filler-rises": _rises,
    "no-reward": _untold,
    "episode-differs": _differs,
    "seed-ignored": _no_other,
    "session-mixed": _mixed,
    "session-fails": _crowded,
    "call-breaks": _breaks,
    "late-reward": _late,
    "returns": _gives,
}


def _run(shown: Trajectory, what: str, expected: str) -> Run:
    calls = tuple({"tool": step.tool, "arguments": step.arguments} for step in shown.steps)
    said = shown.final_message if isinstance(shown.final_message, str) else ""
    where = (shown.label, shown.split, shown.index, shown.seed)
    return Run(what, expected, *where, calls=calls, message=said)


def _what(shown: Trajectory) -> str:
    """Return a description of the policy that played an episode."""
    length = filler_length(shown.model)
    if length is not None:
        return f"{length} characters of filler"
    return {
        "noop": "no calls at all",
        "random": "random calls",
        "malformed": "calls that break the schemas",
        "oracle": "the calls of a solution",
    }.get(shown.model, f"the calls of {shown.model}")


def _pair(evidence: Evidence, expected: str) -> tuple[Run, ...]:
    """Return a run for each of the first two concurrent episodes. ``expected`` is the result of each run."""
    several = list(_all(evidence.audit.side_by_side))[:2]
    played = [_before(each, evidence) or each for each in several]
    return tuple(
        _run(each, f"{_what(each)} on task {number}", expected)
        for number, each in enumerate(played, 1)
    )


def _before(after: Trajectory, evidence: Evidence) -> Trajectory | None:
    """Return the first episode with the same policy and task as the given episode, or None."""
    same = (t for t in evidence.every if (t.model, t.label) == (after.model, after.label))
    return next(same, None)


def _compared_by(before: Trajectory | None, after: Trajectory) -> By:
    return "paid" if before and before is not after and _paid(before) != _paid(after) else "shown"


def _paid(trajectory: Trajectory) -> Any:
    rewards = [(step.reward, step.done) for step in trajectory.steps]
    return rewards, trajectory.total, trajectory.end


def _same(one: Trajectory, other: Trajectory) -> bool:
    shown = [[step.observation for step in each.steps] for each in (one, other)]
    return _paid(one) == _paid(other) and shown[0] == shown[1] and one.prompt == other.prompt


def _reach(
    evidence: Evidence,
    holds: Callable[[Trajectory], bool],
    counts: Callable[[Trajectory], bool],
) -> str:
    """Return the number of affected tasks among the tested tasks, as text."""
    tried = {each.label for each in evidence.every if counts(each)}
    found = {each.label for each in evidence.every if counts(each) and holds(each)}
    return Share(len(found), len(tried)).text if found else ""


def _all(played: Played) -> list[Trajectory]:
    return [each for by_label in played.values() for each in by_label.values()]
