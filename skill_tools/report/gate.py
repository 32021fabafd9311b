"""The gate, which decides whether a calling program continues or stops."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from skill_tools.checks import Finding
from skill_tools.errors import SkillToolsError, nearest
from skill_tools.report.measures import MEASURES
from skill_tools.report.model import Report

LEVELS = ("fail", "warn", "note")
"""Levels of findings, the worst first; a gate on one level includes the levels before it."""
NEVER = "never"
"""Lets every finding pass."""
UNJUDGED = "unjudged"
"""Fails an environment that could not be judged, or not completely."""
_LIMIT = re.compile(r"([a-z][a-z-]*)\s*>\s*([0-9.eE+-]+)")
_TOLD = {"fail": "failed", "warn": "to look at", "note": "noted"}


@dataclass(frozen=True)
class Gate:
    """The criteria that fail a run.

    Attributes:
        levels: The levels of finding that fail the run.
        unjudged: Whether an environment that could not be judged fails the run.
        limits: The maximum allowed value of each measure.
    """

    levels: tuple[str, ...] = ("fail",)
    unjudged: bool = False
    limits: tuple[tuple[str, float], ...] = ()

    def counts(self, finding: Finding) -> bool:
        """Return whether a finding fails the gate if no baseline contains it."""
        return finding.status in self.levels


@dataclass(frozen=True)
class Ruling:
    """The result for one criterion of a gate. ``fails`` is the reason for a failure, or ""."""

    name: str
    fails: str = ""


def read_gate(words: Sequence[str], *, played: bool = True) -> Gate:
    """Parse a gate from words. A word may contain several criteria, separated by commas.

    If no level is named, the gate fails on failed checks and, if the run was ``played``, on ``unjudged``. Limits
    and ``unjudged`` are added to failed checks. With ``never``, only the limits and ``unjudged`` count, if they
    are named. Raises SkillToolsError for an unknown level or measure, or an invalid number.
    """
    asked = [word.strip() for several in words for word in several.split(",") if word.strip()]
    levels = [word for word in asked if word in LEVELS]
    if NEVER in asked and levels:
        raise SkillToolsError(f"--fail-on has both never and {levels[0]}\n    fix: use one of them")
    rest = [word for word in asked if word not in (*LEVELS, NEVER, UNJUDGED)]
    lowest = max(map(LEVELS.index, levels), default=0)
    return Gate(
        () if NEVER in asked else LEVELS[: lowest + 1],
        UNJUDGED in asked or (played and not levels and NEVER not in asked),
        tuple(_limit(word) for word in rest),
    )


def _limit(word: str) -> tuple[str, float]:
    found = _LIMIT.fullmatch(word)
    if not found:
        raise SkillToolsError(
            f"--fail-on does not accept {word!r}\n"
            f"    fix: write {', '.join((*LEVELS, NEVER, UNJUDGED))}, or MEASURE>NUMBER, where "
            f"the measure is one of {', '.join(MEASURES)}, in quotes because a shell interprets >"
        )
    name, written = found.groups()
    if name not in MEASURES:
        raise SkillToolsError(f"--fail-on: there is no measure {name!r}{nearest(name, MEASURES)}")
    try:
        number = float(written)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise SkillToolsError(
            f"--fail-on: {written!r} is not a number\n    fix: write for example {name}>0.1"
        )
    return name, number


def rule(gate: Gate, report: Report, known: Mapping[int, str] | None = None) -> list[Ruling]:
    """Decide each criterion of the gate. The gate passes if no criterion fails.

    A missing measure fails, because a gate that cannot be evaluated must not pass.

    Args:
        known: The findings that are in a baseline, keyed by their position in the report.
    """
    rulings = [_of_level(level, report, known or {}) for level in gate.levels]
    if gate.unjudged:
        how = "is incomplete" if report.verdict == "incomplete" else "was not judged"
        why = f"it {how}: it needs {'; '.join(report.unjudged)}" if report.unjudged else ""
        rulings.append(Ruling(UNJUDGED, why))
    return [*rulings, *(_of_measure(name, most, report) for name, most in gate.limits)]


def _of_level(level: str, report: Report, known: Mapping[int, str]) -> Ruling:
    found = [each for each in enumerate(report.findings) if each[1].status == level]
    checks = list(dict.fromkeys(each.check for place, each in found if place not in known))
    if checks:
        noun = "check" if len(checks) == 1 else "checks"
        return Ruling(level, f"{len(checks)} {noun} {_TOLD[level]}: {', '.join(checks)}")
    if level == "fail" and not report.ok and not found:
        return Ruling(level, report.seen)  # files that changed during the run
    return Ruling(level)


def _of_measure(name: str, most: float, report: Report) -> Ruling:
    value, said = report.measures.get(name), f"{name}>{most:g}"
    if value is None:
        there = ", ".join(report.measures) or "nothing"
        return Ruling(said, f"{name} was not measured on this target (measured: {there})")
    return Ruling(said, f"{name} is {value:g}, more than {most:g}" if value > most else "")
