"""A helper for testing custom checks: the hits of one check on constructed or saved evidence."""

from __future__ import annotations

from pathlib import Path

from skill_tools.checks.check import Check, Hit, skip
from skill_tools.evidence import saved
from skill_tools.evidence.evidence import Evidence


def hits_of(check: Check, evidence: Evidence | Path | str) -> list[Hit]:
    """Return the hits of a check, regardless of other checks and of exceptions.

    If ``evidence`` is the path of a saved file, every split in the file is examined. If a need of the check is
    missing, the only hit is a skip with the reason. Raises SkillToolsError for an invalid file.
    """
    seen = [evidence] if isinstance(evidence, Evidence) else saved.read(Path(evidence))
    return [hit for each in seen for hit in _hits(check, each)]


def _hits(check: Check, evidence: Evidence) -> list[Hit]:
    unmet = next(filter(None, (need.unmet(evidence) for need in check.needs)), "")
    return [skip(unmet)] if unmet else list(check.find(evidence))
