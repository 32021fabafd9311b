"""EPI013: what a call is answered whose sandbox is gone."""

from __future__ import annotations

from collections.abc import Iterator

from skill_tools.checks.check import Hit, Place, check
from skill_tools.checks.needs import PROBED, SANDBOX, probe
from skill_tools.evidence.evidence import Evidence


@check(
    "EPI013",
    "lost-sandbox-answered",
    fix="do not catch sandbox errors: they are not caused by the agent",
    needs=[SANDBOX, probe("lost_sandbox")],
)
def lost_sandbox_answered(evidence: Evidence) -> Iterator[Hit]:
    """A call whose sandbox is lost fails the episode instead of returning an ordinary observation.

    An episode that continues without its sandbox scores 0.0, and training blames the model.
    """
    if found := PROBED.of(evidence).unbroken:
        how = f"as {found.error}" if found.error else "as played"
        message = (
            f"the sandbox was closed, and then {found.tool} was answered {how}: {found.said!r}"
        )
        yield Hit(message, place=Place(tool=found.tool))


CHECKS = (lost_sandbox_answered,)
