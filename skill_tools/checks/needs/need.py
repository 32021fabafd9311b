"""The definition of a need: evidence without which a check cannot run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from skill_tools.evidence.evidence import Evidence

Seen_co = TypeVar("Seen_co", covariant=True)
"""The type of what is needed."""


@dataclass(frozen=True)
class Need(Generic[Seen_co]):
    """Evidence without which a check cannot run.

    Attributes:
        what: A description of the evidence, for readers of the check's page.
        get: Returns the evidence; without evidence, returns None or an empty value.
        reason: Why the check is skipped, unless ``instead`` gives a better reason.
        untimed: Returns whether the evidence is missing only for lack of time.
    """

    name: str
    what: str
    get: Callable[[Evidence], Seen_co | None]
    reason: str
    instead: Callable[[Evidence], str] | None = None
    untimed: Callable[[Evidence], bool] | None = None

    def unmet(self, evidence: Evidence) -> str:
        """Return why this need is unmet, or "" if the need is met."""
        if self.get(evidence):
            return ""
        return (self.instead and self.instead(evidence)) or self.reason

    def is_untimed(self, evidence: Evidence) -> bool:
        """Return whether this need is unmet only because time ran out."""
        return bool(self.untimed and self.unmet(evidence) and self.untimed(evidence))

    def of(self, evidence: Evidence) -> Seen_co:
        """Return the evidence that is needed.

        Raises AssertionError if the evidence is missing. This can happen only in a check that does not list this
        need.
        """
        found = self.get(evidence)
        if found is None:
            raise AssertionError(
                f"{self.name} is missing: a check that reads this evidence must list it under needs"
            )
        return found


@dataclass(frozen=True)
class Declared(Need[Seen_co]):
    """The need for a field of the declaration. A field with an empty value is also declared."""

    def unmet(self, evidence: Evidence) -> str:
        """Return why this need is unmet, or "" if the field is declared."""
        return self.reason if self.get(evidence) is None else ""
