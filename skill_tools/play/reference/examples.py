"""The author's worked examples, played on the bare domain: of every split, each alone."""

from __future__ import annotations

from pathlib import Path

from skill_tools.evidence.trajectory import Failure, Trajectory
from skill_tools.play.policies import scripted
from skill_tools.play.reference.process import ask, play_job
from skill_tools.spec.model import EnvSpec


def play_examples(spec: EnvSpec, folder: Path) -> list[Trajectory]:
    """An episode per example of env.yaml, in that order; failed where the task does not exist.

    Raises DomainError when the process dies or a call never ends.
    """
    jobs = [
        play_job(
            f"playing the worked example of {each.task}",
            [(each.split, each.index, None, scripted.example(each))],
            spec.episode.max_turns,
        )
        for each in spec.examples
    ]
    found = []
    for each, reply in zip(spec.examples, ask(spec, folder, jobs) if jobs else [], strict=True):
        place = {"model": "example", "label": each.task, "split": each.split, "index": each.index}
        if reply.error:
            failure = Failure(kind="EpisodeFailed", message=reply.error)
            found.append(Trajectory(**place, end="failed", failure=failure))
        else:
            found.append(reply.value[0].trajectory(**place))
    return found
