"""A review: a reader's claims about an environment, and the results of the claims' experiments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from skill_tools.evidence.trajectory import Trajectory

Outcome = Literal["violated", "partly", "unsteady", "holds", "not run"]
"""What an experiment showed of what must hold: ``partly`` if a part of the reward is wrong, ``unsteady`` if two plays
differ."""
Verdict = Literal["confirmed", "doubtful", "refuted", "opinion"]
"""``doubtful``: an experiment confirms it, but it concerns a part of the reward or a rare reply, or no second reader
agrees."""
SHOWN: tuple[Outcome, ...] = ("violated", "partly", "unsteady")
"""Outcomes that show a defect, the gravest first."""


@dataclass(frozen=True)
class SecondOpinion:
    """A second reader's answer about one experiment. The second reader has seen no claim."""

    answer: str
    agrees: bool
    because: str = ""
    rare: bool = False
    """Whether replies in training are hardly ever like this."""


@dataclass(frozen=True)
class PlayedExperiment:
    """The result of one played experiment.

    Attributes:
        id: The experiment's digest.
        seen: The observed result, in a sentence.
        must: The result that should have been observed.
        shown: The episode that shows the result, if an episode was played.
        other: The episode with which ``shown`` is compared.
        question: The question for a second reader; "" if a second reader is unnecessary.
        second: The second reader's answer, if there is one.
    """

    id: str
    must: str
    outcome: Outcome
    seen: str
    shown: Trajectory | None = None
    question: str = ""
    other: Trajectory | None = None
    second: SecondOpinion | None = None

    @property
    def settled(self) -> bool:
        """Whether a violation is beyond doubt, because a second reader agrees or is unnecessary."""
        second = self.second
        return not self.question or bool(second and second.agrees and not second.rare)


@dataclass(frozen=True)
class ReviewedClaim:
    """A claim with its played experiments (``trials``), which determine the claim's verdict."""

    number: int
    cause: str
    place: str
    trials: tuple[PlayedExperiment, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The verdict on the claim, according to its experiments."""
        found = [each for each in self.trials if each.outcome in SHOWN]
        if any(each.outcome == "violated" and each.settled for each in found):
            return "confirmed"
        if found:
            return "doubtful"
        played = any(each.outcome == "holds" for each in self.trials)
        return "refuted" if played else "opinion"

    @property
    def telling(self) -> PlayedExperiment | None:
        """Return the trial (a played experiment) with the most informative outcome, or None if the claim was not tried.

        Settled violations come first, followed by other violations and then by trials that were played.
        """
        order = [*SHOWN, "holds", "not run"]
        ranked = sorted(self.trials, key=lambda t: (order.index(t.outcome), not t.settled))
        return ranked[0] if ranked else None


@dataclass(frozen=True)
class Review:
    """The claims of a reader about an environment, and the answers of a second reader.

    Attributes:
        reader: Name of the first reader; "" if unknown.
        second: Name of the second reader, who answered the questions; "" if unknown.
        unread: Files of the environment that the first reader does not list as read.
    """

    reader: str
    second: str
    claims: tuple[ReviewedClaim, ...]
    unread: tuple[str, ...] = ()

    def with_verdict(self, *verdicts: Verdict) -> list[ReviewedClaim]:
        """Return the claims with one of these verdicts, in the reader's order."""
        return [each for each in self.claims if each.verdict in verdicts]
