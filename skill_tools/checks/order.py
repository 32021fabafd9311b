"""The order in which findings are told: what names a cause before what follows from it."""

from __future__ import annotations

from collections.abc import Sequence

from skill_tools.checks.check import Finding

CONSEQUENCES = (
    *("TAS002", "REW011", "REW017", "REW010", "REW012", "REW016", "REW006", "EXA001"),
    *("REW013", "REW018", "REW008", "REW009", "REW019", "REW002", "EPI002"),
    *("REW005", "REW014", "REW015", "EXA003", "EXA004"),
)
"""Checks of what comes of a defect, from the nearest to the farthest.

All others name a cause and come first, in the order of the catalogue. A worked example says which
rule is broken, and so stands between both; that words changed says least of what is wrong.
"""
_TOLD = ("fail", "warn")


def by_cause(findings: Sequence[Finding]) -> list[Finding]:
    """The findings, those that ask for something first, and of these the causes."""
    return sorted(findings, key=_rank)


def _rank(finding: Finding) -> tuple[int, int]:
    told = finding.status in _TOLD
    follows = finding.check in CONSEQUENCES
    return (not told, CONSEQUENCES.index(finding.check) + 1 if told and follows else 0)
