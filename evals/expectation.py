"""One expectation of a case about a solver's result, and whether it held."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import BaseModel

WEIGHTS = {
    "asked": 0.05, "starts": 0.05, "checks": 0.10, "behaviour": 0.70, "parity": 0.10,
    "answer": 1.0, "trigger": 1.0,
}  # fmt: skip
"""What each scorer counts in the score of a case; those that are unscored count nothing.

What a bare starter can have without having read the description is asked, starts and checks: they
stay under a quarter together. The last two stand alone, in cases that build nothing.
"""
ORDER = tuple(WEIGHTS)


class Expectation(BaseModel):
    """One expectation, its framework, and the actual finding if it did not hold."""

    scorer: str
    name: str
    framework: str | None = None
    held: bool | None
    """None if the expectation could not be scored; it then does not count."""
    found: str = ""
    episode: str | None = None
    """The hidden episode that tests the expectation."""

    @property
    def key(self) -> str:
        """The identifier of this expectation: its scorer, its name, and its framework if it has one."""
        return f"{self.scorer}/{self.name}" + (f"@{self.framework}" if self.framework else "")


class Mark(BaseModel):
    """The value of one scorer, or of all scorers together, for an attempt."""

    value: float | None
    """From 0 to 1; None if unscored."""
    explanation: str


def mark(expectations: Sequence[Expectation]) -> Mark:
    """Return the share of a scorer's expectations that held, and the first thing to fix."""
    scored = [each for each in expectations if each.held is not None]
    if not scored:
        why = expectations[0].found if expectations else "nothing to look at"
        return Mark(value=None, explanation=f"unscored: {why}")
    lost = [each for each in scored if not each.held]
    value = 1 - len(lost) / len(scored)
    if not lost:
        return Mark(value=1.0, explanation=f"all {len(scored)} held")
    return Mark(value=value, explanation=f"{len(lost)} of {len(scored)} failed; {first_fix(lost)}")


def combined(expectations: Iterable[Expectation]) -> Mark:
    """Return the score of a case: the weighted values of all scorers, and the first thing to fix."""
    by_scorer: dict[str, list[Expectation]] = {}
    for each in expectations:
        by_scorer.setdefault(each.scorer, []).append(each)
    marks = {name: mark(some) for name, some in by_scorer.items()}
    values = {name: got.value for name, got in marks.items() if got.value is not None}
    if not values:
        return next(iter(marks.values()), Mark(value=None, explanation="unscored: nothing to see"))
    total = sum(WEIGHTS[name] for name in values)
    value = sum(WEIGHTS[name] * got for name, got in values.items()) / total
    lost = [each for some in by_scorer.values() for each in some if each.held is False]
    if not lost:
        return Mark(value=1.0, explanation="everything held")
    return Mark(value=round(value, 6), explanation=first_fix(lost))


def first_fix(lost: Sequence[Expectation]) -> str:
    """Return the first thing to fix. Failures on which other expectations depend come first."""
    first = min(lost, key=lambda each: ORDER.index(each.scorer))
    return f"fix first: {first.key}: {first.found}"


def lost_points(expectations: Iterable[Expectation]) -> set[str]:
    """Return the keys of the expectations that did not hold."""
    return {each.key for each in expectations if each.held is False}
