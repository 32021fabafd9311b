"""GRA015: whether a grader's code does what its author rarely means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from skill_tools.checks.check import Hit, Place, check
from skill_tools.checks.needs import JUDGED_ANSWERS
from skill_tools.checks.rules.graders.replies import cut
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.grading.explanations import Slip

USUAL = "for no right reply"


class _Kind(NamedTuple):
    """What happens, with places for the attributes of a slip; when it never happens; and what to do."""

    what: str
    but: str
    fix: str


KINDS: Mapping[str, _Kind] = {
    "ended": _Kind(
        "{place} reads `{source}` a second time, after its end, and finds nothing",
        "",
        "make it a list before you read it twice",
    ),
    "negative": _Kind(
        "`{source}` in {place} reads from the end, because the index is {values}",
        USUAL,
        "refuse a negative index before you use it",
    ),
    "dropped": _Kind(
        "`{source}` in {place} leaves items out, because the lengths are {values}",
        USUAL,
        "compare the lengths first, or use zip(..., strict=True)",
    ),
    "divisor": _Kind(
        "`{source}` in {place} divides by a negative number ({values})",
        USUAL,
        "check the signs before you divide",
    ),
    "caught": _Kind(
        "the exception that `{source}` in {place} catches costs no reward ({values})",
        USUAL,
        "score a reply that raises an exception as wrong",
    ),
    "missed": _Kind(
        "`{source}` in {place} never finds anything, because {values}",
        "",
        "give both sides the same capitals, spaces and types before you compare them",
    ),
    "padded": _Kind(
        "`{source}` in {place} compares with a text that has a space at its end or beginning: {values}",
        USUAL,
        "strip the texts before you compare them",
    ),
    "zero": _Kind(
        "`{source}` in {place} is None for some tasks and 0 for others, and 0 counts as missing",
        "",
        "compare with None",
    ),
}
"""The kinds of slips, the surest first."""


@check(
    "GRA015",
    "slip-in-the-code",
    fix="correct the operation",
    needs=[JUDGED_ANSWERS],
    level="warn",
    trusts="nothing",
)
def slip_in_the_code(evidence: Evidence) -> Iterator[Hit]:
    """The code of a reward function does nothing that authors rarely mean, such as reading from the end of a list.

    An audit scores right replies, and replies in which words or lines are changed at random, and watches the code. A
    search that never succeeds or an exception that is caught may be a rule that is never applied.
    """
    order = [*KINDS]
    slips = JUDGED_ANSWERS.of(evidence).slips
    for slip in sorted(slips, key=lambda each: (order.index(each.kind), not each.rewarded)):
        kind = KINDS[slip.kind]
        yield Hit(_message(slip, kind), place=Place(task=slip.task), fix=kind.fix)


def _message(slip: Slip, kind: _Kind) -> str:
    what = kind.what.format(place=slip.place, source=slip.source, values=slip.values)
    example = f"{cut(slip.reply)} on {slip.task}"
    rewarded = ", which gets the full reward" if slip.rewarded else ""
    but = f"; this happens {kind.but}" if kind.but else ""
    return f"{what}, such as for {example}{rewarded}{but}"


CHECKS = (slip_in_the_code,)
