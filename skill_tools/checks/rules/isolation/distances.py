"""Numbers that reveal how far a click was off."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from skill_tools.checks.needs import PICTURES
from skill_tools.checks.reading.episodes import named
from skill_tools.checks.rules.isolation.number import (
    LEAST,
    MOSTLY,
    Beside,
    NumberLeak,
    Numbers,
)
from skill_tools.checks.rules.isolation.secrets import oracle
from skill_tools.evidence.calls import point_of
from skill_tools.evidence.evidence import Evidence

NEAR = 2.0
"""Maximum difference in pixels from the true distance: shapes are large, and numbers are rounded."""
SHARE = 0.05
"""Maximum difference as a share of the distance, if this allows more."""
FAR = 12.0
"""Minimum distance in pixels: smaller numbers occur in many texts by chance."""


def _beside_distances(evidence: Evidence) -> Numbers:
    """Return the numbers in the reply to each click, paired with the click's distance to the next target."""
    wanted = {
        label: [point for s in each.steps if s.reward > 0 and (point := point_of(s.arguments))]
        for label, each in oracle(evidence).items()
    }
    found: Numbers = defaultdict(list)
    for each in evidence.every_bare:
        paid = 0
        for number, step in enumerate(each.steps, 1):
            paid += step.reward > 0
            point, left = point_of(step.arguments), wanted.get(each.label, [])[paid : paid + 1]
            if not point or not left or step.error or step.done:
                continue
            said = re.findall(r"(?<![\w.])\d+(?:\.\d+)?", step.text)
            shown = f"{named(each)}: step {number} says {step.text[:160]!r}"
            for metric, distance in _distances(point, left[0]).items():
                # Hits and misses have different words.
                kind = metric + " " * (step.reward > 0)
                found[kind].append(
                    Beside(each, tuple(map(float, said)), distance, step.tool, shown)
                )
    return found


def _distances(one: tuple[int, int], other: tuple[int, int]) -> dict[str, float]:
    across, down = abs(one[0] - other[0]), abs(one[1] - other[1])
    return {
        "the straight-line distance to the click": (across**2 + down**2) ** 0.5,
        "the distance to the click in columns plus rows": float(across + down),
        "the distance to the click along the longer side": float(max(across, down)),
    }


def _far(pairs: Sequence[Beside]) -> list[Beside]:
    return [pair for pair in pairs if pair.secret > FAR]


def _some_far(pairs: Sequence[Beside]) -> bool:
    return len(_far(pairs)) >= LEAST


def _near(pair: Beside) -> bool:
    most = max(NEAR, pair.secret * SHARE)
    return any(abs(number - pair.secret) <= most for number in pair.numbers)


def _measures(where: str, pairs: Sequence[Beside]) -> tuple[str, Beside] | None:
    far = _far(pairs)
    near = sum(map(_near, far))
    if near < MOSTLY * len(far):
        return None
    shows = next(filter(_near, pairs))
    message = (
        f"{shows.said}, which contains {where.strip()} the distance to the next click "
        f"({near} of {len(far)} clicks)"
    )
    return message, shows


DISTANCE = NumberLeak(
    _beside_distances,
    _some_far,
    _measures,
    fix="report only whether a click hit, not where it should have been",
    needs=(PICTURES,),
)
