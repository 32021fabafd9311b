"""The evidence from probes and studies that checks need."""

from __future__ import annotations

from collections.abc import Callable

from skill_tools.checks.needs.need import Need
from skill_tools.checks.needs.seen import PROBED
from skill_tools.checks.reading.skill import read_study
from skill_tools.evidence.certificate import PortRun
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.grading.reviewed import Review
from skill_tools.evidence.probed import Probed
from skill_tools.evidence.probes import PROBES
from skill_tools.evidence.surveyed import Endured

UNTIMED = "no time was left for an attempt"
"""The reason if only time was missing; the verdict is then incomplete."""


def probe(*names: str) -> Need[Probed]:
    """Return the need that at least one of these probes made an attempt.

    The need is unmet if the probes found nothing to attempt or did not reply. A probe of the domain as a whole
    makes no attempts, so any reply of such a probe meets the need.
    """
    assert set(names) <= PROBES.keys(), names

    def get(evidence: Evidence) -> Probed | None:
        found = evidence.probed
        met = found and any(found.attempts.get(name) or name in found.answered for name in names)
        return found if met else None

    tried = ", or ".join(PROBES[name].tries for name in names)
    reasons = (PROBES[names[0]].absent, _without(*names), _untimed(*names))
    return Need(names[0], f"a probe ({tried})", get, *reasons)


def _without(*names: str) -> Callable[[Evidence], str]:
    """Return a function that says why none of these probes has a result: no reply, or no time.

    The function returns "" if the probes ran but had nothing to attempt.
    """

    def why(evidence: Evidence) -> str:
        if evidence.probed is None:
            return PROBED.unmet(evidence)
        if stuck := unanswered(evidence, *names):
            return stuck
        return UNTIMED if evidence.probed.untimed & {*names} else ""

    return why


def _untimed(*names: str) -> Callable[[Evidence], bool]:
    """Return a function that says whether these probes have no result only because time ran out."""

    def late(evidence: Evidence) -> bool:
        found = evidence.probed
        return bool(found and found.untimed & {*names} and not unanswered(evidence, *names))

    return late


def _soaked(evidence: Evidence) -> Endured | None:
    found = evidence.probed
    return found.endured if found and "soak" in found.answered else None


SOAK = Need(
    "soak",
    "a probe (many episodes in one process)",
    _soaked,
    PROBES["soak"].absent,
    _without("soak"),
)
"""The resources that many episodes left behind in one process."""


def unanswered(evidence: Evidence, *names: str) -> str:
    """Return "no answer: …" with the cause if one of these probes died, or ""."""
    causes = evidence.probed.unanswered if evidence.probed else {}
    return next((f"no answer: {causes[name]}" for name in names if name in causes), "")


def _tried(evidence: Evidence) -> Probed | None:
    found = evidence.probed
    # A probe that died is a result, too: for EPI007, and as the reason for other skips.
    return found if found and (any(found.attempts.values()) or found.unanswered) else None


TRIED = Need("tried", "a result of any probe", _tried, "no probe could run", PROBED.unmet)

STUDIED = Need(
    "studied",
    "a study of the bare domain with players of known skill and blind players",
    read_study,
    "there is no study: `skill-tools learnability` makes one, with random calls and an oracle "
    "that makes mistakes",
)

CERTIFICATE: Need[PortRun] = Need(
    "certificate",
    "a comparison of the port with its original",
    lambda seen: seen.port,
    "there is no port.json: `skill-tools compare DIR` writes one for an environment with an original",
)

REVIEW: Need[Review] = Need(
    "review",
    "tested claims of a reader who saw the whole environment",
    lambda seen: seen.review,
    "there is no claims.yaml of a reader who saw everything: `skill-tools review TARGET --brief "
    "FILE` writes the brief for that reader",
)
