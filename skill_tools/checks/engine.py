"""The engine: asks every check, and makes findings of what they answer."""

from __future__ import annotations

from itertools import islice

from skill_tools.checks.check import Check, Finding, Status
from skill_tools.checks.needs import find_unmet, find_unplayed
from skill_tools.checks.order import by_cause
from skill_tools.checks.rules import CHECKS
from skill_tools.evidence.evidence import Evidence

MOST = 5
"""Findings of one check that are written out; the rest are counted."""


def run(evidence: Evidence) -> list[Finding]:
    """Every check's findings, at least one per check: causes first, else in the order of the catalogue."""
    found: dict[str, list[str]] = {}
    asked = checks_for(evidence)
    for each in asked:
        if not find_unmet(each, evidence):
            messages = list(islice(each.find(evidence), 1000))
            if messages:
                found[each.id] = messages
    failed = {
        key: messages
        for key, messages in found.items()
        if any(
            getattr(message, "level", CHECKS[key].level) == "fail"
            and not evidence.declaration.exception_for(key, CHECKS[key].name, message)
            for message in messages
        )
    }
    made = [f for each in asked for f in _findings(each, evidence, found, failed)]
    return by_cause([*made, *_unused(evidence, made)])


def checks_for(evidence: Evidence) -> list[Check]:
    """The checks that are asked: those of audits only where there was one."""
    return [each for each in CHECKS.values() if each.family != "AUD" or evidence.audited]


def _unused(evidence: Evidence, made: list[Finding]) -> list[Finding]:
    """A warning for each declared exception that excepted nothing, where its check could find anything."""
    applied = [f for f in made if f.status == "excepted"]
    seen = {name for f in made if f.status != "skip" for name in (f.check, f.name)}
    each = CHECKS["SPE006"]
    return [
        Finding(each.id, each.name, "warn", f"the exception for {e.check} never applied", each.fix)
        for e in evidence.declaration.exceptions
        if e.check in seen and not any(e.applies(f.check, f.name, f.message) for f in applied)
    ]


def _findings(
    each: Check, evidence: Evidence, found: dict[str, list[str]], failed: dict[str, list[str]]
) -> list[Finding]:
    if unmet := find_unmet(each, evidence):
        return [Finding(each.id, each.name, "skip", unmet)]
    if blamed := [other for other in each.after if other in failed and _masks(other, evidence)]:
        return [Finding(each.id, each.name, "skip", f"after {blamed[0]}, which failed")]
    messages = found.get(each.id, [])
    if not messages:
        unplayed = find_unplayed(each, evidence)
        return [Finding(each.id, each.name, "skip" if unplayed else "pass", unplayed)]
    fix = (evidence.audited and each.fix_elsewhere) or each.fix
    by_status: dict[Status, list[str]] = {}
    for message in messages:
        level: Status = getattr(message, "level", each.level)
        if level == "skip":
            return [Finding(each.id, each.name, "skip", message)]
        exception = evidence.declaration.exception_for(each.id, each.name, message)
        reason = f" (an exception: {exception.because})" if exception else ""
        by_status.setdefault("excepted" if exception else level, []).append(f"{message}{reason}")
    return [
        Finding(each.id, each.name, status, message, fix)
        for status, several in by_status.items()
        for message in _shortened(several)
    ]


def _masks(other: str, evidence: Evidence) -> bool:
    """Whether a failed check explains those after it.

    One call may break an environment of somebody else's that is sound in all other episodes, and
    checks leave out those that failed.
    """
    return not (other == "EPI001" and evidence.audited and evidence.scored)


def _shortened(messages: list[str]) -> list[str]:
    left = len(messages) - MOST
    return [*messages[:MOST], f"and {left} more"] if left > 0 else messages
