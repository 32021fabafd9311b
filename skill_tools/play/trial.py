"""Trying out a bundled domain: whether it works without what stays behind."""

from __future__ import annotations

from pathlib import Path

from skill_tools.errors import DomainError
from skill_tools.play.reference import Query, one, play_job
from skill_tools.spec.model import EnvSpec


def try_alone(spec: EnvSpec, folder: Path, package: Path) -> None:
    """Play with only the files of ``package`` at hand; raises DomainError if that does not work."""
    try:
        _open_episodes(spec, package)
    except DomainError as error:
        _open_episodes(spec, folder)  # raises too, if the cause is not what stays behind
        fix = "name every module and data file that the domain uses under `include` in env.yaml"
        raise DomainError(f"the domain does not work alone: {error}\n    fix: {fix}") from error


def _open_episodes(spec: EnvSpec, folder: Path) -> None:
    sizes = one(spec, folder, Query("count", "reading the tasks"))
    opening = [(split, 0, None, []) for split, size in sizes.items() if size]
    one(spec, folder, play_job("opening the first episodes", opening, spec.episode.max_turns))
