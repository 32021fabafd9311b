"""One attempt's result, as Inspect's logs store it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel

from evals.expectation import Expectation, combined


class Result(BaseModel):
    """One attempt at one case by one solver."""

    solver: str
    sample: str
    case: str
    epoch: int
    score: float | None
    explanation: str
    expectations: list[Expectation] = []
    episodes: list[dict[str, Any]] = []
    effort: dict[str, Any] = {}
    opinion: str = ""
    """A judge's opinion on an episode, with the grade in the last line; empty if no judge was asked."""
    error: str = ""
    """The reason why the attempt could not run and has no score."""
    transcript: str = ""


def read(logs: Path) -> list[Result]:
    """Return the results in a folder of Inspect's logs. If a sample was run twice, return the run without an error."""
    from inspect_ai.log import list_eval_logs, read_eval_log

    found: dict[tuple[str, str, int], Result] = {}
    for info in sorted(list_eval_logs(str(logs)), key=lambda each: each.name):
        log = read_eval_log(info)
        for sample in log.samples or []:
            key = (log.eval.task, str(sample.id), sample.epoch)
            result = _result(log.eval.task, sample)
            if key not in found or not result.error:
                found[key] = result
    return list(found.values())


def _result(solver: str, sample: Any) -> Result:
    about = sample.metadata
    base = {
        "solver": solver,
        "sample": str(sample.id),
        "case": about["case"],
        "epoch": sample.epoch,
    }
    if "expectations" not in about:
        why = sample.error.message if sample.error else "it was not finished"
        return Result(**base, score=None, explanation=f"unscored: {why}", error=why)
    expected = [Expectation(**each) for each in about["expectations"]]
    got = combined(expected)
    opinion = (sample.scores or {}).get("readable")
    readable = opinion.explanation if opinion else ""
    return Result(
        **base, score=got.value, explanation=got.explanation, expectations=expected,
        episodes=about["attempt"]["played"], effort=about["attempt"]["effort"], opinion=readable,
        transcript=about.get("transcript", ""),
    )  # fmt: skip
