"""References to pictures in a trajectory's messages, such as ``#/steps/3/observation/0``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from skill_tools.evidence.trajectory import Step

_PICTURE = re.compile(r"#/steps/(\d+)/observation(?:/(\d+))?")


def picture_at(url: str, steps: Sequence[Step], number: int) -> str:
    """Return the address of a picture. If the address refers to a step's picture, return the picture's data.

    For a reference to a whole observation, ``number`` selects one of the observation's pictures. Raises
    LookupError if the steps do not contain the picture.
    """
    place = _PICTURE.fullmatch(url)
    if not place:
        return url
    blocks = steps[int(place[1])].observation
    if place[2]:
        return as_address(blocks[int(place[2])])
    return as_address([block for block in blocks if block["type"] == "image"][number])


def as_address(block: Mapping[str, Any]) -> str:
    """Return an image block as a data URI."""
    return f"data:{block['media_type']};base64,{block['data']}"
