"""One answer that a grader is given: what it is, and what it must earn."""

from __future__ import annotations

from typing import Literal, NamedTuple

Must = Literal["right", "equivalent", "wrong", "doubtful"]
"""Paid in full; paid in full as well; never paid in full; better not paid, which some graders may."""


class Guess(NamedTuple):
    """A reply to a question. ``probe`` names the way it was made, ``how`` says it in words.

    ``must``: what it has to earn.
    """

    probe: str
    must: Must
    how: str
    reply: str
