"""Playing a recorded episode again on the bare domain, as its code is now."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from skill_tools.errors import DomainError
from skill_tools.play import policies
from skill_tools.play.evidence import BARE
from skill_tools.play.reference import one, play_job
from skill_tools.play.trajectory import Trajectory
from skill_tools.spec.model import EnvSpec


@dataclass(frozen=True)
class Replay:
    """An episode as it was recorded, and the same calls on the bare domain now."""

    recorded: Trajectory
    now: Trajectory


def play_again(spec: EnvSpec, folder: Path, recorded: Trajectory) -> Replay:
    """Play a trajectory's calls on its task, alone in a process of its own.

    Raises DomainError where its task is not known, or the author's code raises or never ends.
    """
    if recorded.split is None or recorded.index is None:
        raise DomainError(f"which task {recorded.label} was about is not recorded")
    script = policies.replay(recorded.model_dump())
    # Bare episodes have their task's seed, and do not say which it was.
    seed = None if recorded.framework == BARE else recorded.seed
    place = (recorded.split, recorded.index, seed, script)
    job = play_job(f"playing {recorded.label} again", [place], spec.episode.max_turns)
    (record,) = one(spec, folder, job)
    known = recorded.model_dump(include={"model", "label", "split", "index"})
    return Replay(recorded, Trajectory.model_validate({**known, **record}))
