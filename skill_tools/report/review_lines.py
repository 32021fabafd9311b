"""Sentences about a review: who read what, and the claims that are no findings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, get_args

from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.reviewed import Review, Verdict

NAMED = 8
"""Maximum number of unread files to name."""


def review_lines(evidence: Evidence) -> list[str]:
    """Return who reviewed and what nobody read, then each refuted claim and each opinion; nothing without a review."""
    review = evidence.review
    if review is None:
        return []
    told = f"{len(review.claims)} claims by {review.reader or 'a reader without a name'}"
    counts = {name: len(review.with_verdict(name)) for name in get_args(Verdict)}
    told += f": {', '.join(f'{count} {name}' for name, count in counts.items())}"
    told += f"; second reader: {review.second or 'none'}"
    if review.unread:
        more = len(review.unread) - NAMED
        told += f"; not read: {', '.join(review.unread[:NAMED])}"
        told += f" and {more} more" if more > 0 else ""
    return [told, *_others(review, "refuted"), *_others(review, "opinion")]


def _others(review: Review, word: Literal["refuted", "opinion"]) -> Iterator[str]:
    for each in review.with_verdict(word):
        why = f": {each.telling.seen}" if each.telling else ": no experiment"
        yield f"{word}: {each.cause.rstrip('.')}{f' ({each.place})' if each.place else ''}{why}"
