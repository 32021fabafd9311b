"""Options of an import and a comparison, each defined once for the command line and the library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from skill_tools.audit.options import AuditOptions
from skill_tools.rollouts.options import option


@dataclass(frozen=True)
class ImportOptions:
    """Settings for the import of a target: the tasks to import, and known facts about the target."""

    name: str | None = option(None, "name in snake_case. Default: the folder's name")
    id: str | None = option(None, "environment within the target")
    solutions: Path | None = option(
        None, "solutions (JSON) or trajectories (JSON lines)", exists=True
    )
    dataset: Path | None = option(None, "dataset rows, as JSON lines", exists=True)
    requirements: Sequence[str] = option(
        (), "additional package for the venv; repeatable", flag="--requirement"
    )
    imports: Sequence[str] = option((), "module that registers the id; repeatable", flag="--import")
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """Arguments for loading the environment; the command line has `--arg key=value`."""
    reward_range: tuple[float, float] | None = option(
        None, "minimum and maximum return, if known", metavar="MINIMUM MAXIMUM"
    )
    max_turns: int | None = option(None, "turn limit, if the original states none", min=1)
    num_tasks: int = option(40, "number of tasks or seeds to import", min=2)
    rewrite: bool = option(
        False, "write a domain with empty methods, and keep the original for comparison"
    )
    call_seconds: float = option(30.0, "maximum seconds for one call", min=1)

    def as_audit(self) -> AuditOptions:
        """Return the options with which an audit recognizes the same target."""
        return _as_audit(self)


@dataclass(frozen=True)
class CompareOptions:
    """Settings for a comparison of two environments: how much to compare, and by which rules."""

    id: str | None = option(None, "environment within the other target")
    dataset: Path | None = option(None, "dataset rows, as JSON lines", exists=True)
    requirements: Sequence[str] = option(
        (), "additional package for the venv; repeatable", flag="--requirement"
    )
    imports: Sequence[str] = option((), "module that registers the id; repeatable", flag="--import")
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """Arguments for loading the other target; the command line has `--arg key=value`."""
    actions: int = option(2_000, "number of actions to compare", min=1)
    num_tasks: int = option(40, "maximum number of tasks to play", min=1)
    seconds: float = option(900.0, "maximum seconds for playing", min=10)
    rules: Path | None = option(
        None, "file of permitted differences. Default: port.yaml in the folder", exists=True
    )
    recorded: Sequence[Path] = option((), "trajectories whose actions are also played; repeatable")
    output: Path | None = option(None, "file of the certificate. Default: port.json in the folder")

    def as_audit(self) -> AuditOptions:
        """Return the options with which an audit recognizes the same target."""
        return _as_audit(self)


def _as_audit(asked: ImportOptions | CompareOptions) -> AuditOptions:
    return AuditOptions(
        id=asked.id,
        dataset=asked.dataset,
        requirements=asked.requirements,
        imports=asked.imports,
        arguments=asked.arguments,
    )
