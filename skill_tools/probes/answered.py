"""The results of surveys as evidence, with a trajectory for each kept episode."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel

from skill_tools.evidence.surveyed import Chance, Foreseen, RandomEpisode, Solved
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.reference.playbook import label_episode
from skill_tools.reference.replies import ChanceReply, SolvedReply, WanderedReply
from skill_tools.spec.model import EnvSpec


def solved(spec: EnvSpec, several: Sequence[SolvedReply]) -> list[Solved]:
    """Return the oracle's episodes on further tasks and seeds, with the trajectory of each episode that was kept."""
    return [Solved(**_of(each, Solved), shown=_shown(spec, each)) for each in several]


def _of(reply: BaseModel, kind: type[BaseModel]) -> dict[str, Any]:
    """Return the fields of a reply that ``kind`` also has, except the episode."""
    return {name: getattr(reply, name) for name in kind.model_fields if name != "shown"}


def _shown(spec: EnvSpec, found: SolvedReply | WanderedReply) -> Trajectory | None:
    solved, seed = isinstance(found, SolvedReply), found.own
    if isinstance(found, SolvedReply) and found.seed is not None:
        seed = found.seed
    if found.played is None or seed is None:  # kept episodes have one
        return None
    label = label_episode(spec, found.split, found.index, seed)
    place = {"split": found.split, "index": found.index, "seed": seed, "label": label}
    return found.played.trajectory(**place, model="oracle" if solved else "random_play")


def dealt(spec: EnvSpec, found: ChanceReply | None) -> Chance | None:
    """Return the results of many deals (a deal is a task with a seed), with the episodes that findings show."""
    if found is None:
        return None
    foreseen = []
    for each in found.foreseen:
        label = label_episode(spec, each.split, each.index, each.seed)
        place = {"split": each.split, "index": each.index, "seed": each.seed, "label": label}
        shown = each.played.trajectory(**place, model="oracle")
        foreseen.append(Foreseen(**_of(each, Foreseen), shown=shown))
    return Chance(**_of(found, Chance) | {"foreseen": foreseen})


def wandered(spec: EnvSpec, found: WanderedReply) -> RandomEpisode:
    """Return an episode of random legal play, with its trajectory if it was kept."""
    return RandomEpisode(**_of(found, RandomEpisode), shown=_shown(spec, found))
