"""RES001 and 005: the cost of episodes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from operator import attrgetter

from skill_tools.checks.check import Hit, Place, Status, check, place_of, skip, warn
from skill_tools.checks.needs import PLAYED, PROBED, TRIED
from skill_tools.checks.reading.episodes import counted, named
from skill_tools.checks.reading.probed import describe
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.probed import Attempt
from skill_tools.evidence.trajectory import Step

LONG = 50_000
"""Length in characters of an observation that models read only in part."""
FEW = 4
"""Minimum observations that repeat all earlier text: two or three do not show a pattern."""
MANY = 8
"""Minimum observations that grow without repeating: fewer may grow by chance."""
MORE = 400
"""Characters by which the last observation must exceed three times the first, as in a list of moves."""


@check(
    "RES001",
    "slow-call",
    fix="cache data that every call reads, and avoid loops over all data; "
    "if a call starts a process, declare an exception",
    needs=[PROBED],
)
def slow_call(evidence: Evidence) -> Iterator[Hit]:
    """No call takes more than 1 s, whatever its arguments, and opening an episode takes at most 0.3 s.

    A slow call delays its rollout worker, and therefore the rest of the batch.
    """
    probed = PROBED.of(evidence)
    if evidence.declaration.runs_programs:
        yield skip("the domain's calls run programs, whose time the domain does not control")
        return
    tried = [each for several in probed.attempts.values() for each in several]
    slowest: Attempt | None = max(tried, key=lambda each: each.seconds, default=None)
    if slowest is not None and slowest.seconds > SLOW:
        message = (
            f"a call took {slowest.seconds:.1f} s, {describe(slowest)}"
            if slowest.trajectory.total is not None
            else f"a call took {slowest.seconds:.1f} s: {slowest.calls}"
        )
        level: Status | None = None if slowest.seconds > TOO_SLOW else "warn"
        yield Hit(message, slowest.trajectory, place_of(slowest.trajectory), level)
    # The first opening loads what is cached, and a single slow one may be an accident.
    opened = sorted(probed.opened, key=attrgetter("took"))[-2:-1]
    slow = [each for each in opened if each.took > SLOW_OPENING]
    for each in slow:
        yield warn(f"opening {each.task} took {each.took:.1f} s", place=Place(task=each.task))
    if not tried and not slow:
        yield skip(TRIED.unmet(evidence) or "no attempt had a result")


SLOW = 1.0
"""Seconds above which a call is reported: a rollout worker waits for it at every turn."""
TOO_SLOW = 8.0
"""Seconds above which a call makes the check fail: a busy machine alone does not make it that slow."""
SLOW_OPENING = 0.3
"""Seconds to open an episode above which this is reported, because other episodes wait meanwhile."""


@check(
    "RES005",
    "observation-too-long",
    fix="show only what changed, or show one part and add a tool that shows the rest",
    needs=[PLAYED],
    level="warn",
)
def observation_too_long(evidence: Evidence) -> Iterator[Hit]:
    """No observation is longer than a model can read, and observations do not grow with every step.

    The cost of an episode depends on the length of its context. If every observation repeats the history, this cost
    grows with the square of the number of steps.
    """
    for trajectory in evidence.every:
        sizes = [len(step.text) for step in counted(trajectory)]
        if sizes and max(sizes) > LONG:
            what = f"an observation of {max(sizes):,} characters"
            yield Hit(f"{named(trajectory)}: {what}", trajectory, place_of(trajectory))
            return
    for trajectory in evidence.every_bare:
        shown = [step for step in trajectory.steps if not step.error and not step.done]
        sizes = [_size(step) for step in shown]
        if len(shown) < FEW or sizes[-1] <= 3 * sizes[0] + MORE:
            continue
        grow = all(after > before for before, after in pairwise(sizes))
        repeat = all(before.text in after.text for before, after in pairwise(shown))
        if grow and (repeat or len(shown) >= MANY):
            what = f"observations grow with every step, {sizes[0]} to {sizes[-1]} characters"
            yield Hit(f"{named(trajectory)}: {what}", trajectory, place_of(trajectory))
            return
    if not any(trajectory.steps for trajectory in evidence.every):
        yield skip("no policy called a tool")


def _size(step: Step) -> int:
    """Return the length of an observation in characters; a picture counts as a thousand."""
    pictures = sum(block["type"] == "image" for block in step.observation)
    return len(step.text) + 1000 * (int(pictures) + step.text.count("[image "))


CHECKS = (
    slow_call,
    observation_too_long,
)
