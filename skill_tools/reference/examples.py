"""Play the worked examples of the author and of a reader on the bare domain, each episode in isolation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from skill_tools.evidence.trajectory import Failure, Trajectory
from skill_tools.policies import scripted
from skill_tools.reference.process import ask, play_job
from skill_tools.spec.examples import Example
from skill_tools.spec.model import EnvSpec
from skill_tools.spec.readers.readings import Readings


def play_examples(spec: EnvSpec, folder: Path) -> list[Trajectory]:
    """Return an episode for each example in env.yaml, in the same order. An episode counts as failed if its task
    does not exist.

    Raises DomainError if the process dies or a call never ends.
    """
    return _play(spec, folder, spec.examples, "example")


def play_readings(spec: EnvSpec, folder: Path, readings: Readings) -> list[Trajectory]:
    """Return an episode for each of a reader's examples, in the same order; see ``play_examples``."""
    return _play(spec, folder, readings.examples, "reading")


def _play(
    spec: EnvSpec, folder: Path, examples: Sequence[Example], player: str
) -> list[Trajectory]:
    jobs = [
        play_job(
            f"playing the {player} of {each.task}",
            [(each.split, each.index, None, scripted.example(each))],
            spec.episode.max_turns,
        )
        for each in examples
    ]
    found = []
    for each, reply in zip(examples, ask(spec, folder, jobs) if jobs else [], strict=True):
        place = {"model": player, "label": each.task, "split": each.split, "index": each.index}
        if reply.error:
            failure = Failure(kind="EpisodeFailed", message=reply.error)
            found.append(Trajectory(**place, end="failed", failure=failure))
        else:
            found.append(reply.value[0].trajectory(**place))
    return found
