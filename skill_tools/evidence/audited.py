"""What an audit saw beyond rollouts: of an environment that we did not render."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, PlainSerializer

from skill_tools.evidence.trajectory import Played, Trajectory

FILLER = "filler_"
"""Begins the names of the policies that write nothing but filler; what follows is its length."""
NONSENSE = ("malformed",)
"""Policies besides them whose calls mean nothing."""
AFTER_END = ("past_done", "second_answer")
"""Policies that continue after the end; what they earn is no measure of anybody else."""


Shows = Literal[
    # What an episode shows:
    "episode-rewarded",  # calls that mean nothing have a return
    "filler-rises",  # longer filler earns more than shorter
    "no-reward",  # no call has a reward
    "episode-differs",  # the same calls on the same task are another episode
    "seed-ignored",  # another seed is the same episode
    "session-mixed",  # an episode changes when a second is open
    "session-fails",  # a second episode breaks
    "call-breaks",  # a call ends the episode with an exception
    "late-reward",  # a call after the end has a reward
    "returns",  # calls earn what the finding says
    # What a graded reply shows:
    "reply-rewarded",  # a wrong one earns what the right one does
    "reply-refused",  # a right one earns less in another spelling
    "right-unrewarded",  # the right answer of the data earns nothing
    "reply-breaks",  # one has no score
    "reply-differs",  # one has another score again, or in a batch
    "program-rewarded",  # a wrong program earns what the right one does
    # A model judges or plays, which no script has:
    "model",
]
"""What a finding of an audit is shown by, as far as a script can show it."""


def _from_pairs(value: Any) -> Any:
    return {tuple(key): seen for key, seen in value} if isinstance(value, list) else value


_ByEpisode = Annotated[
    dict[tuple[str, str], dict[str, Any]],
    # JSON has no pairs as keys.
    PlainSerializer(lambda seen: list(seen.items()), when_used="json"),
    BeforeValidator(_from_pairs),
]


@dataclass(frozen=True)
class Audited:
    """What discovery told, and what was played besides the policies.

    found: tools, places, sizes of splits and facts, as a driver told them. again: some scripts in
    another process; reseeded: with the next seed; together: in alternation with others, or why not.
    seen: what else was seen of an episode, by policy and label: how many rewards were told, the
    longest text, OpenEnv's states. left: scripts for which there was no time. broken: why nothing
    could be played, or "". lacks: what the audit itself did not have, so that nothing was played, or "".
    solved: whether anybody gave a solution. asked: what the folder requires of its framework, where another
    release was played.
    """

    found: dict[str, Any] = field(default_factory=dict)
    again: Played = field(default_factory=dict)
    reseeded: Played = field(default_factory=dict)
    together: Played = field(default_factory=dict)
    seen: _ByEpisode = field(default_factory=dict)
    left: int = 0
    broken: str = ""
    lacks: str = ""
    solved: bool = False
    asked: str = ""
    startup: float = 0.0
    memory_mb: float = 0.0

    @property
    def states(self) -> list[Any]:
        """What the state said in every episode in which it was asked."""
        return [seen["states"] for seen in self.seen.values() if seen.get("states")]

    @property
    def facts(self) -> dict[str, Any]:
        """What a driver told that only its framework has."""
        facts = self.found.get("facts")
        return facts if isinstance(facts, dict) else {}

    def of(self, trajectory: Trajectory) -> dict[str, Any]:
        """What else was seen of an episode."""
        return self.seen.get((trajectory.model, trajectory.label), {})


def filler_length(policy: str) -> int | None:
    """How much a policy writes that writes nothing but filler; None for another."""
    return int(policy.removeprefix(FILLER)) if policy.startswith(FILLER) else None


def is_nonsense(policy: str) -> bool:
    """Whether a policy acts, and means nothing by it."""
    return policy.startswith(FILLER) or policy in NONSENSE
