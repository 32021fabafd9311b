"""REW023: whether the agent can change what a grader reads."""

from __future__ import annotations

from collections.abc import Iterator

from skill_tools.checks.check import Hit, check, skip
from skill_tools.checks.needs import REWARD_RANGE, probe
from skill_tools.checks.reading.probed import _says, attempts, describe, seen_in, tops
from skill_tools.evidence.evidence import Evidence


@check(
    "REW023",
    "graded-from-open-files",
    fix="compute the answer before the agent comes, and keep it in the domain",
    needs=[probe("tampered"), probe("right"), REWARD_RANGE],
    after=["REW001", "REW002"],
)
def graded_from_open_files(evidence: Evidence) -> Iterator[Hit]:
    """A right answer stays right when the agent has changed the files that it was to read.

    What is graded by files in the agent's folder is graded by the agent.
    """
    alone = {each.of for each in tops(evidence, attempts(evidence, "right"))}
    found = [e for e in attempts(evidence, "tampered") if e.of in alone and _says(e, "changed")]
    if not found:
        yield skip("no answer that earns the top alone came after a program that changed files")
        return
    paid = {each.of for each in tops(evidence, found)}
    lost = [each for each in found if each.of not in paid]
    if len(lost) > 1 and not paid:
        message = (
            f"{describe(lost[0])} once {lost[0].words} ({len(lost)} tasks); alone it earns the top"
        )
        yield seen_in(lost[0], message)


CHECKS = (graded_from_open_files,)
