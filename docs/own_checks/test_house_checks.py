"""Each check finds what it is for, and nothing where all is well."""

from __future__ import annotations

from house_checks import MOST, reply_too_long

from skill_tools.checks.testing import hits_of
from skill_tools.evidence.declaration import Declaration
from skill_tools.evidence.evidence import Evidence, gather_rollouts
from skill_tools.evidence.trajectory import Step, Trajectory


def played(text: str) -> Evidence:
    step = Step(
        tool="read",
        arguments={},
        observation=[{"type": "text", "text": text}],
        reward=0.0,
        done=True,
    )
    episode = Trajectory(
        framework="openenv", model="oracle", label="reader/train/0", steps=[step], end="terminated"
    )
    return gather_rollouts(Declaration(name="reader"), [episode])


def test_a_reply_that_models_cannot_see_is_found_with_its_episode() -> None:
    (hit,) = hits_of(reply_too_long, played("x" * (MOST + 1)))
    assert hit.place.tool == "read"
    assert hit.shown
    assert hit.shown.label == "reader/train/0"


def test_a_reply_that_they_can_see_is_right() -> None:
    assert hits_of(reply_too_long, played("x" * MOST)) == []


def test_where_nothing_was_played_it_is_skipped() -> None:
    (hit,) = hits_of(reply_too_long, Evidence(Declaration(name="reader")))
    assert hit.level == "skip"
