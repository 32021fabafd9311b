"""What environments of our house have to keep."""

from __future__ import annotations

from collections.abc import Iterator

from skill_tools.checks.check import Hit, Place, check
from skill_tools.checks.needs import PLAYED
from skill_tools.evidence.evidence import Evidence

MOST = 2000
"""Characters of one reply: our models see sixteen of them beside the prompt."""


@check(
    "HOU001",
    "reply-too-long",
    fix=f"let the tool return at most {MOST} characters, and offer a way to see the rest",
    needs=[PLAYED],
)
def reply_too_long(evidence: Evidence) -> Iterator[Hit]:
    """No reply of a tool is longer than our models can see.

    What is cut off at the end is often what the next call depends on.
    """
    for trajectory in evidence.every:
        long = [step for step in trajectory.steps if len(step.text) > MOST]
        if long:
            message = f"{trajectory.label}: {long[0].tool} replied {len(long[0].text)} characters"
            yield Hit(message, trajectory, Place(task=trajectory.label, tool=long[0].tool))


CHECKS = [reply_too_long]
