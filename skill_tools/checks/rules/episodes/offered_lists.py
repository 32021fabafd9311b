"""EPI012: whether the domain accepts the numbers that an observation offers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from skill_tools.checks.check import Hit, check, place_of, skip
from skill_tools.checks.needs import PROBED
from skill_tools.checks.reading.episodes import named
from skill_tools.evidence.calls import show_calls
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Step, Trajectory

_NUMBERS = re.compile(r"(?<![\w.-])-?\d+(?:(?:, ?| and | or |, (?:and|or) )-?\d+){2,}(?![\w.]*\d)")
Offer = tuple[Trajectory, int, str]


@check(
    "EPI012",
    "offered-refused",
    fix="list allowed values as the tool accepts them, computed by the same rule that refuses all others",
    needs=[PROBED],
    after=["EPI008"],
    level="warn",
)
def offered_refused(evidence: Evidence) -> Iterator[Hit]:
    """A parameter accepts exactly the numbers that an observation lists for this parameter.

    A list that counts from 0 by mistake, or that is one call old, sends the agent to the wrong place.
    """
    numbers = {
        tool: [name for name, schema in fields.items() if schema.get("type") == "integer"]
        for tool, fields in evidence.declaration.parameters.items()
    }
    names = {tool: found[0] for tool, found in numbers.items() if len(found) == 1}
    found: dict[tuple[str, str], dict[tuple[bool, bool], list[Offer]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for each in evidence.every_bare:
        for place, (before, step) in enumerate(zip(each.steps, each.steps[1:], strict=False), 1):
            value = step.arguments.get(names.get(step.tool, ""), None)
            if not isinstance(value, int) or step.error not in (None, "invalid_action"):
                continue
            for form, offered in _lists(before, names[step.tool]):
                offer = (each, place, str(sorted(offered)))
                found[step.tool, form][value in offered, not step.error].append(offer)
    for outcomes in found.values():
        wrong = outcomes[True, False], outcomes[False, True]
        right = len(outcomes[True, True]) + len(outcomes[False, False])
        # A list of used items is wrong throughout: it offers nothing.
        if all(wrong) and outcomes[True, True] and right > sum(map(len, wrong)):
            refused, accepted = (_describe(several[0]) for several in wrong)
            shown, place, _ = outcomes[True, False][0]
            message = f"{refused}, is refused, but {accepted}, is accepted"
            yield Hit(message, shown, place_of(shown, shown.steps[place]))
    if not found:
        yield skip("no observation lists numbers for a parameter of a later call")


def _describe(offer: Offer) -> str:
    each, place, offered = offer
    step = each.steps[place]
    return (
        f"{named(each)}: although {offered} are listed, {show_calls([(step.tool, step.arguments)])}"
    )


def _lists(step: Step, name: str) -> Iterator[tuple[str, set[int]]]:
    """Yield each list of numbers in the lines that contain ``name``, with the words before the list."""
    for line in step.text.splitlines():
        for several in _NUMBERS.finditer(line):
            numbers = [int(each) for each in re.findall(r"-?\d+", several[0])]
            before = line[: several.start()]
            if name.lower() in before.lower() and len(set(numbers)) == len(numbers):
                yield re.sub(r"\d+", "#", before), set(numbers)


CHECKS = (offered_refused,)
