"""An audit's observations, other than rollouts, of an environment that skill-tools did not render."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, PlainSerializer

from skill_tools.evidence.trajectory import Played, Trajectory

FILLER = "filler_"
"""Prefix of the policies that send only filler; the rest of the name is its length."""
NONSENSE = ("malformed",)
"""Other policies whose calls are meaningless."""
AFTER_END = ("past_done", "second_answer")
"""Policies that keep calling after the end; their returns say nothing about other policies."""


Shows = Literal[
    # What an episode shows:
    "episode-rewarded",  # calls that mean nothing have a return
    "filler-rises",  # longer filler has a higher return than shorter
    "no-reward",  # no call has a reward
    "episode-differs",  # the same calls on the same task give another episode
    "seed-ignored",  # another seed gives the same episode
    "session-mixed",  # an episode changes while a second one is open
    "session-fails",  # a second episode breaks
    "call-breaks",  # a call ends the episode with an exception
    "late-reward",  # a call after the end has a reward
    "returns",  # calls have the return that the finding states
    # What a graded reply shows:
    "reply-rewarded",  # a wrong reply has the right one's reward
    "reply-refused",  # a right reply has a lower reward in another spelling
    "right-unrewarded",  # the dataset's own answer has no reward
    "reply-breaks",  # a reply has no score
    "reply-differs",  # a reply's score differs when repeated or batched
    "program-rewarded",  # a wrong program has the right one's reward
    # A model judges or plays, which no script can do:
    "model",
]
"""Ways in which a script can demonstrate a finding of an audit."""


def _from_pairs(value: Any) -> Any:
    return {tuple(key): seen for key, seen in value} if isinstance(value, list) else value


_ByEpisode = Annotated[
    dict[tuple[str, str], dict[str, Any]],
    # JSON keys cannot be pairs.
    PlainSerializer(lambda seen: list(seen.items()), when_used="json"),
    BeforeValidator(_from_pairs),
]


@dataclass(frozen=True)
class Audited:
    """The result of discovery, and everything played in addition to the policies' episodes.

    Attributes:
        found: Tools, places, split sizes and facts, as a driver reported them.
        again: Some scripts, repeated in another process.
        reseeded: The same scripts with the next seed.
        together: The same scripts interleaved with other scripts. A failed episode says why it failed.
        seen: Other observations of an episode, by policy and label: the number of rewards reported, the longest
            text, OpenEnv's states.
        left: Number of scripts skipped for lack of time.
        broken: Why nothing could be played, or "".
        lacks: The arguments or packages whose absence prevented the audit from playing, or "".
        solved: Whether a solution was supplied.
        solutions: The number of used solutions, and the number of given solutions.
        asked: The framework release that the folder requires, if a different release was used.
        left_out: Requirements of the folder that were not installed, because no index has them.
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
    solutions: tuple[int, int] = (0, 0)
    asked: str = ""
    left_out: tuple[str, ...] = ()
    startup: float = 0.0
    memory_mb: float = 0.0

    @property
    def states(self) -> list[Any]:
        """The reported states, for each episode that reported its state."""
        return [seen["states"] for seen in self.seen.values() if seen.get("states")]

    @property
    def facts(self) -> dict[str, Any]:
        """Facts that a driver reported and that only the driver's framework has."""
        facts = self.found.get("facts")
        return facts if isinstance(facts, dict) else {}

    def of(self, trajectory: Trajectory) -> dict[str, Any]:
        """Return the audit's observations of an episode that the episode's trajectory does not contain."""
        return self.seen.get((trajectory.model, trajectory.label), {})


def filler_length(policy: str) -> int | None:
    """Return the number of characters that a filler policy writes, or None for any other policy."""
    return int(policy.removeprefix(FILLER)) if policy.startswith(FILLER) else None


def is_nonsense(policy: str) -> bool:
    """Return whether a policy's calls are meaningless."""
    return policy.startswith(FILLER) or policy in NONSENSE
