"""The definition of an archetype: facts about one kind of environment, without code."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from skill_tools.spec.model import BackendName

STARTERS = Path(__file__).parent / "starters"
"""A folder of templates per starter; a template's path is its output path."""


@dataclass(frozen=True)
class InterviewQuestion:
    """A question for the person who wants the environment, and the default answer."""

    ask: str
    default: str


@dataclass(frozen=True)
class Risk:
    """A way for agents to get reward without doing the task, and the author's countermeasure."""

    gamed: str
    answer: str


@dataclass(frozen=True)
class Defaults:
    """Default values for the env specs of one archetype."""

    max_turns: int
    reward_timing: Literal["terminal", "per_step", "post_episode"]
    reward_range: tuple[float, float]
    backend: Literal["none", BackendName]
    blocking: bool


@dataclass(frozen=True)
class Archetype:
    """One kind of environment.

    The default starter has the archetype's name.

    Attributes:
        not_when: For each sign that this archetype does not fit, the archetype to choose instead.
        checks: The check families and check ids that matter most for this archetype, each with the reason.
        exemplar: The folder of a finished environment of this archetype in our repository, or None.
        other_starters: The name of each additional starter, with the situation in which to prefer this starter.
    """

    name: str
    title: str
    when: str
    not_when: dict[str, str]
    hallmarks: tuple[str, ...]
    reward_shapes: tuple[str, ...]
    questions: tuple[InterviewQuestion, ...]
    defaults: Defaults
    checks: dict[str, str]
    risks: tuple[Risk, ...]
    exemplar: str | None = None
    other_starters: dict[str, str] = field(default_factory=dict)
