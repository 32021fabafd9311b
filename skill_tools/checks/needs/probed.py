"""What a check needs of what probes tried, or a study."""

from __future__ import annotations

from collections.abc import Callable

from skill_tools.checks.needs.need import Need
from skill_tools.checks.needs.seen import PROBED
from skill_tools.checks.reading.skill import read_study
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.probed import Probed
from skill_tools.evidence.probes import PROBES
from skill_tools.evidence.surveyed import Endured

UNTIMED = "no time was left for any attempt"
"""What is said where time alone was lacking; the verdict is then incomplete."""


def probe(*names: str) -> Need[Probed]:
    """Attempts of some probes; without any, why there are none: nothing to try, or no answer.

    A probe that asks of the domain as a whole has no attempts, and is met where it was answered.
    """
    assert set(names) <= PROBES.keys(), names

    def get(evidence: Evidence) -> Probed | None:
        found = evidence.probed
        met = found and any(found.attempts.get(name) or name in found.answered for name in names)
        return found if met else None

    tried = ", or ".join(PROBES[name].tries for name in names)
    reasons = (PROBES[names[0]].absent, _without(*names), _untimed(*names))
    return Need(names[0], f"a probe: {tried}", get, *reasons)


def _without(*names: str) -> Callable[[Evidence], str]:
    """Why nothing came of some probes: no answer, or no time; "" where there was nothing to try."""

    def why(evidence: Evidence) -> str:
        if evidence.probed is None:
            return PROBED.unmet(evidence)
        if stuck := unanswered(evidence, *names):
            return stuck
        return UNTIMED if evidence.probed.untimed & {*names} else ""

    return why


def _untimed(*names: str) -> Callable[[Evidence], bool]:
    """Whether nothing came of some probes for lack of time alone."""

    def late(evidence: Evidence) -> bool:
        found = evidence.probed
        return bool(found and found.untimed & {*names} and not unanswered(evidence, *names))

    return late


def _soaked(evidence: Evidence) -> Endured | None:
    found = evidence.probed
    return found.endured if found and "soak" in found.answered else None


SOAK = Need(
    "soak",
    "a probe: many episodes in one process",
    _soaked,
    PROBES["soak"].absent,
    _without("soak"),
)
"""What many episodes left in one process."""


def unanswered(evidence: Evidence, *names: str) -> str:
    """What is said where one of some probes died: that there was no answer, and why; otherwise ""."""
    causes = evidence.probed.unanswered if evidence.probed else {}
    return next((f"no answer: {causes[name]}" for name in names if name in causes), "")


def _tried(evidence: Evidence) -> Probed | None:
    found = evidence.probed
    # What died tells something, too: to EPI007, and why others have nothing to judge.
    return found if found and (any(found.attempts.values()) or found.unanswered) else None


TRIED = Need("tried", "a result of any probe", _tried, "no probe could run", PROBED.unmet)

STUDIED = Need(
    "studied",
    "a study: what players of known skill earn on the bare domain, and players who do not look",
    read_study,
    "it was not studied: `skill-tools learnability` plays an oracle that makes mistakes, and random calls",
)
