"""What a need is: something without which a check cannot be made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from skill_tools.evidence.evidence import Evidence

Seen_co = TypeVar("Seen_co", covariant=True)
"""What is needed."""


@dataclass(frozen=True)
class Need(Generic[Seen_co]):
    """Something of the evidence without which a check cannot be made.

    get: what is needed; None, or empty, where it was not seen. reason: what is then said, unless
    ``instead`` knows better. what: the same in words, for who reads about a check. untimed: whether
    it is not there for lack of time alone.
    """

    name: str
    what: str
    get: Callable[[Evidence], Seen_co | None]
    reason: str
    instead: Callable[[Evidence], str] | None = None
    untimed: Callable[[Evidence], bool] | None = None

    def unmet(self, evidence: Evidence) -> str:
        """Why it is not there, or ""."""
        if self.get(evidence):
            return ""
        return (self.instead and self.instead(evidence)) or self.reason

    def is_untimed(self, evidence: Evidence) -> bool:
        """Whether it is not there for lack of time alone."""
        return bool(self.untimed and self.unmet(evidence) and self.untimed(evidence))

    def of(self, evidence: Evidence) -> Seen_co:
        """What is needed; it is there, as the check has asked for it: raises AssertionError if not."""
        found = self.get(evidence)
        if found is None:
            raise AssertionError(
                f"{self.name} is missing: a check that reads it must list it under needs"
            )
        return found


@dataclass(frozen=True)
class Declared(Need[Seen_co]):
    """A field of the declaration; one that is empty was declared all the same."""

    def unmet(self, evidence: Evidence) -> str:
        """Why it is not there, or ""."""
        return self.reason if self.get(evidence) is None else ""
