"""REV: the claims of a reader of the whole environment, and the results of the claims' experiments."""

from __future__ import annotations

from collections.abc import Iterator

from skill_tools.checks.check import Hit, Place, check, place_of
from skill_tools.checks.needs import REVIEW
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.grading.reviewed import PlayedExperiment, ReviewedClaim, Verdict


@check(
    "REV001",
    "claim-confirmed",
    fix="fix the cause that the reader names, then have a fresh reader review what changed",
    needs=[REVIEW],
    trusts="nothing",
)
def claim_confirmed(evidence: Evidence) -> Iterator[Hit]:
    """No reader claims a defect that an experiment (and, if needed, a second reader) then confirms.

    Probes find defects that many environments have. A reader also finds defects that only this environment has. A claim
    alone is not a verdict, so its experiment is played twice in fresh processes. If the experiment shows a reward and
    only a reader can judge this reward, a second reader who has not seen the claim must agree.
    """
    yield from _hits(evidence, "confirmed")


@check(
    "REV002",
    "claim-doubtful",
    fix="give questions.md to a fresh reader and save the reply as answers.yaml; if the readers disagree, decide "
    "which reading is right and state it in the prompt",
    needs=[REVIEW],
    level="warn",
    trusts="nothing",
)
def claim_doubtful(evidence: Evidence) -> Iterator[Hit]:
    """No claim is in doubt: both plays of its experiment agree, and so do the readers.

    If two readers disagree about what is right, models and their users will also disagree.
    """
    yield from _hits(evidence, "doubtful")


def _hits(evidence: Evidence, verdict: Verdict) -> Iterator[Hit]:
    for each in REVIEW.of(evidence).with_verdict(verdict):
        trial = each.telling
        if trial is None:
            continue
        file, _, line = each.place.rpartition(":")
        place = Place(file=file, line=int(line)) if file and line.isdigit() else Place()
        if trial.shown is not None and not place.file:
            place = place_of(trial.shown)
        shown = trial.shown if trial.shown and (trial.shown.steps or trial.shown.prompt) else None
        yield Hit(_message(each, trial), shown, place)


def _message(each: ReviewedClaim, trial: PlayedExperiment) -> str:
    where = f" ({each.place})" if each.place else ""
    more = sum(other.outcome == trial.outcome for other in each.trials)
    message = f"{each.cause.rstrip('.')}{where}: {trial.seen}; {trial.must}"
    message += f"; {more} of {len(each.trials)} experiments show it" if len(each.trials) > 1 else ""
    if trial.outcome == "violated" and not trial.settled:
        message += f"; {_doubt(trial)}"
    return message


def _doubt(trial: PlayedExperiment) -> str:
    """Return why the check does not fail although an experiment showed a violation."""
    second = trial.second
    if second is None:
        return "ask a second reader"
    because = f", because {second.because.rstrip('.')}" if second.because else ""
    if second.agrees:
        return f"a second reader agrees, but calls such replies rare{because}"
    return f"a second reader disagrees: {second.answer!r}{because}"


CHECKS = [claim_confirmed, claim_doubtful]
