"""For tests of one's own checks: the hits of one check on evidence, constructed or saved."""

from __future__ import annotations

from pathlib import Path

from skill_tools.checks.check import Check, Hit, skip
from skill_tools.evidence import saved
from skill_tools.evidence.evidence import Evidence


def hits_of(check: Check, evidence: Evidence | Path | str) -> list[Hit]:
    """What a check finds, with no regard to other checks and to exceptions.

    ``evidence`` may be the path of a saved file, of which each split is looked at. Of what a check
    needs and was not seen, the only hit is a skip with the reason. Raises SkillToolsError for a file that
    is none.
    """
    seen = [evidence] if isinstance(evidence, Evidence) else saved.read(Path(evidence))
    return [hit for each in seen for hit in _hits(check, each)]


def _hits(check: Check, evidence: Evidence) -> list[Hit]:
    unmet = next(filter(None, (need.unmet(evidence) for need in check.needs)), "")
    return [skip(unmet)] if unmet else list(check.find(evidence))
