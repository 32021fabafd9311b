"""The catalogue of checks, family by family; adding one is a function and a broken example."""

from __future__ import annotations

from itertools import islice

from skill_tools.checks import (
    contract,
    determinism,
    episodes,
    isolation,
    parity,
    rendering,
    rewards,
    spec,
)
from skill_tools.checks.check import Check, Finding
from skill_tools.play.evidence import Evidence

FAMILIES = {
    "SPE": "the env spec",
    "REN": "rendering and drift",
    "CON": "the domain contract",
    "EPI": "episodes",
    "DET": "determinism and seeds",
    "REW": "rewards",
    "ISO": "isolation and leaks",
    "PAR": "parity between variants",
}
CHECKS: dict[str, Check] = {
    found.id: found
    for family in (spec, rendering, contract, episodes, determinism, rewards, isolation, parity)
    for found in family.CHECKS
}
MOST = 5
"""Findings of one check that are written out; the rest are counted."""


def run(evidence: Evidence) -> list[Finding]:
    """Every check's findings, in the order of the catalogue: at least one per check."""
    failed: dict[str, list[str]] = {}
    for each in CHECKS.values():
        if not _unmet(each, evidence):
            messages = list(islice(each.find(evidence), 1000))
            if messages:
                failed[each.id] = messages
    return [finding for each in CHECKS.values() for finding in _findings(each, evidence, failed)]


def _findings(each: Check, evidence: Evidence, failed: dict[str, list[str]]) -> list[Finding]:
    if unmet := _unmet(each, evidence):
        return [Finding(each.id, each.name, "skip", f"not observed: {unmet}")]
    if blamed := [other for other in each.after if other in failed]:
        return [Finding(each.id, each.name, "skip", f"after {blamed[0]}, which failed")]
    messages = failed.get(each.id, [])
    if not messages:
        return [Finding(each.id, each.name, "pass")]
    if len(messages) > MOST:
        messages = [*messages[:MOST], f"and {len(messages) - MOST} more"]
    return [Finding(each.id, each.name, "fail", message, each.fix) for message in messages]


def _unmet(each: Check, evidence: Evidence) -> str:
    missing = [name for name in each.needs if not getattr(evidence, name)]
    return ", ".join(missing)


__all__ = ["CHECKS", "FAMILIES", "Check", "Finding", "run"]
