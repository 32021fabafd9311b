"""A second reader, who has seen no claim: the questions for this reader, and the answers added to the trials."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from skill_tools.evidence.grading.reviewed import (
    SHOWN,
    PlayedExperiment,
    Review,
    ReviewedClaim,
    SecondOpinion,
)
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.pipeline.reviews.stages import Stage
from skill_tools.pipeline.reviews.trials import QUESTIONS, SEEDED
from skill_tools.report.brief.review_brief import SecondQuestion, without_rewards
from skill_tools.spec.readers.claims import Acts, Claim, Experiment, SecondAnswers, first_acts

AGREES = {
    "earn-top": "everything",
    "earn-nothing": "nothing",
    "earn-same": "same",
    "earn-more": "first",
    "agree": "contradictory",
    "not-read": "not allowed",
    "not-show": "not allowed",
    "not-depend": "not allowed",
}
"""The answer that agrees with a claim; for ``earn``, it is the number."""


def with_answers(
    played: Sequence[ReviewedClaim], claims: Sequence[Claim], answers: SecondAnswers | None
) -> tuple[ReviewedClaim, ...]:
    """Add a second reader's answers to the claims' trials, and return the claims."""
    given = {each.question: each for each in answers.answers} if answers else {}

    def answered(trial: PlayedExperiment, experiment: Experiment) -> PlayedExperiment:
        answer = given.get(trial.id)
        if answer is None or not trial.question:
            return trial
        word = answer.answer.strip().casefold().rstrip(".")
        wanted = AGREES.get(experiment.must, f"{experiment.reward or 0:g}")
        rare = answer.common == "rarely"
        second = SecondOpinion(answer.answer, word == wanted, answer.because, rare)
        return replace(trial, second=second)

    return tuple(
        replace(each, trials=tuple(map(answered, each.trials, claim.experiments)))
        for each, claim in zip(played, claims, strict=True)
    )


def ask_again(stage: Stage, review: Review, claims: Sequence[Claim]) -> list[SecondQuestion]:
    """Mix the open questions with as many questions about harmless experiments. Return [] without open questions."""
    trials = [
        (trial, experiment)
        for claim, each in zip(claims, review.claims, strict=True)
        for trial, experiment in zip(each.trials, claim.experiments, strict=True)
        if trial.question and trial.second is None
    ]
    left = [pair for pair in trials if pair[0].outcome in SHOWN]
    # A reader who sees confirmed claims alone could agree without reading.
    decoys = [pair for pair in trials if pair[0].outcome == "holds"][: len(left)]
    mixed = {trial.id: (trial, each) for trial, each in [*left, *decoys]} if left else {}
    return [_asked(stage, *mixed[id_]) for id_ in sorted(mixed)]


def _asked(stage: Stage, trial: PlayedExperiment, experiment: Experiment) -> SecondQuestion:
    question = SEEDED if experiment.must == "not-depend" else QUESTIONS[experiment.must]
    if experiment.must == "agree":
        rows = [f"row {name}: {_fields(stage, name)}" for name in experiment.rows]
        return SecondQuestion(trial.id, question, (), rows, ())
    acts = first_acts(experiment)
    tasks = list(dict.fromkeys(each.task or "" for each in acts))
    fields = [fields for name in tasks if (fields := _fields(stage, name))]
    done = [_done(*each) for each in zip(acts, (trial.shown, trial.other), strict=False)]
    if experiment.must == "not-show":
        done.append(f"The words: {experiment.text}")
    return SecondQuestion(
        trial.id, question, trial.shown.prompt if trial.shown else (), fields, done
    )


def _fields(stage: Stage, task: str) -> str:
    row = stage.row(task)
    return json.dumps(dict(row), ensure_ascii=False, default=str) if row else ""


def _done(acts: Acts, shown: Trajectory | None) -> str:
    def lines() -> Iterator[str]:
        if acts.calls and shown is not None and len(shown.steps) >= len(acts.calls):
            yield without_rewards(shown)
        else:
            yield from (f"call: {each.tool} {json.dumps(each.arguments)}" for each in acts.calls)
        if acts.reply is not None:
            yield f"The reply:\n{acts.reply}"

    return "\n".join(lines())
