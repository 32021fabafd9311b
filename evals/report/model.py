"""The results of a run, and the means, intervals, differences and surprises that follow from them."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence

from pydantic import BaseModel

from evals.expectation import ORDER, mark
from evals.report.calibration import surprises
from evals.report.result import Result

T95 = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26)
"""Student's factor of a 95 % interval, by degrees of freedom from 1. Beyond the last, about 2."""


class Summary(BaseModel):
    """The scores of one solver, on one case or on all cases."""

    mean: float | None
    low: float | None = None
    high: float | None = None
    """Bounds of the 95 % interval of the mean over epochs; None for fewer than two."""
    count: int
    unscored: int = 0


class Report(BaseModel):
    """Everything that the terminal, the JSON and the page show."""

    solvers: list[str]
    cases: list[str]
    results: list[Result]
    overall: dict[str, Summary]
    by_case: dict[str, dict[str, Summary]]
    by_check: dict[str, dict[str, Summary]]
    """For each scorer, the value of each solver."""
    differences: dict[str, dict[str, float | None]]
    """Each agent's score with our skills minus its score without them, per case and over all cases."""
    surprises: list[str]
    """Scripted solvers that did not get their required score."""

    @classmethod
    def of(cls, results: Sequence[Result]) -> Report:
        """Compute the report of some results."""
        solvers = list(dict.fromkeys(each.solver for each in results))
        names = sorted({each.case for each in results})
        per = {
            (s, c): [r for r in results if (r.solver, r.case) == (s, c)]
            for s in solvers
            for c in names
        }
        by_case = {
            c: {s: summary(_by_epoch(_scores(per[s, c]))) for s in solvers if per[s, c]}
            for c in names
        }
        overall = {
            s: summary(_by_epoch(_scores(r for r in results if r.solver == s))) for s in solvers
        }
        return cls(
            solvers=solvers, cases=names, results=list(results), overall=overall,
            by_case=by_case, by_check=_by_check(results, solvers),
            differences=_differences(solvers, by_case, overall), surprises=surprises(results),
        )  # fmt: skip


def summary(scores: Iterable[float | None]) -> Summary:
    """Return the mean and interval of the known scores. Unscored attempts are only counted."""
    every = list(scores)
    known = [each for each in every if each is not None]
    unscored = len(every) - len(known)
    if not known:
        return Summary(mean=None, count=0, unscored=unscored)
    mean = statistics.fmean(known)
    if len(known) < 2:
        return Summary(mean=mean, count=1, unscored=unscored)
    free = len(known) - 1
    factor = T95[free - 1] if free <= len(T95) else 2.0
    half = factor * statistics.stdev(known) / len(known) ** 0.5
    return Summary(
        mean=mean, low=mean - half, high=mean + half, count=len(known), unscored=unscored
    )


def _scores(results: Iterable[Result]) -> list[tuple[int, float | None]]:
    return [(each.epoch, each.score) for each in results]


def _by_epoch(scores: Sequence[tuple[int, float | None]]) -> list[float | None]:
    """Return one value per epoch, so that an interval shows chance and not the differences between cases or mutants."""
    values: list[float | None] = []
    for epoch in sorted({epoch for epoch, _ in scores}):
        known = [score for each, score in scores if each == epoch and score is not None]
        values.append(statistics.fmean(known) if known else None)
    return values


def _by_check(results: Sequence[Result], solvers: Sequence[str]) -> dict[str, dict[str, Summary]]:
    table: dict[str, dict[str, Summary]] = {}
    for scorer in ORDER:
        for solver in solvers:
            mine = [r for r in results if r.solver == solver]
            expected = [(r.epoch, [e for e in r.expectations if e.scorer == scorer]) for r in mine]
            marks = [(epoch, mark(some).value) for epoch, some in expected if some]
            if marks:
                table.setdefault(scorer, {})[solver] = summary(_by_epoch(marks))
    return table


def _differences(
    solvers: Sequence[str], by_case: dict[str, dict[str, Summary]], overall: dict[str, Summary]
) -> dict[str, dict[str, float | None]]:
    """Return each agent's mean score with our skills minus its mean score in each other configuration."""
    found: dict[str, dict[str, float | None]] = {}
    for ours in solvers:
        agent, _, how = ours.partition("+")
        if how != "with":
            continue
        for other in solvers:
            if other.partition("+")[0] == agent and other != ours:
                pairs = {c: (s.get(ours), s.get(other)) for c, s in by_case.items()}
                pairs["all"] = (overall[ours], overall[other])
                found[f"{ours} less {other}"] = {c: _less(*pair) for c, pair in pairs.items()}
    return found


def _less(ours: Summary | None, other: Summary | None) -> float | None:
    if ours is None or other is None or ours.mean is None or other.mean is None:
        return None
    return ours.mean - other.mean
