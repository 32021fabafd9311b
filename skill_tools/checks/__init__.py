"""The catalogue of checks, family by family; to add one, write a function and a broken example."""

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
from skill_tools.checks.needs import find_unmet, find_unplayed
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
        if not find_unmet(each, evidence):
            messages = list(islice(each.find(evidence), 1000))
            if messages:
                failed[each.id] = messages
    return [finding for each in CHECKS.values() for finding in _findings(each, evidence, failed)]


def _findings(each: Check, evidence: Evidence, failed: dict[str, list[str]]) -> list[Finding]:
    if unmet := find_unmet(each, evidence):
        return [Finding(each.id, each.name, "skip", unmet)]
    if blamed := [other for other in each.after if other in failed]:
        return [Finding(each.id, each.name, "skip", f"after {blamed[0]}, which failed")]
    messages = failed.get(each.id, [])
    if not messages:
        unplayed = find_unplayed(each, evidence)
        return [Finding(each.id, each.name, "skip" if unplayed else "pass", unplayed)]
    if len(messages) > MOST:
        messages = [*messages[:MOST], f"and {len(messages) - MOST} more"]
    return [Finding(each.id, each.name, "fail", message, each.fix) for message in messages]


__all__ = ["CHECKS", "FAMILIES", "Check", "Finding", "run"]
