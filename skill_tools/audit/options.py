"""Audit options, each defined once for the command line and the library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from skill_tools.rollouts.options import option


@dataclass(frozen=True)
class AuditOptions:
    """Settings of an audit: how much of a target to play, with which inputs, for how long, and what to keep."""

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
    num_tasks: int = option(3, "number of tasks or seeds to play", min=1)
    seconds: float = option(600.0, "maximum seconds for the whole audit", min=10)
    call_seconds: float = option(30.0, "maximum seconds for one call", min=1)
    output_dir: Path | None = option(None, "folder for the report, trajectories and rfc008.json")
    repro: Path | None = option(
        None, "folder for scripts that reproduce findings with only the framework"
    )
    claims: Path | None = option(
        None, "a reader's claims to test as well; see `review`", exists=True
    )
    model: str | None = option(None, "real model whose replies the audit scores")
    model_url: str | None = option(
        None, "OpenAI-compatible endpoint of the model (key: ROLLOUT_API_KEY)"
    )
    judge_model: str | None = option(None, "real model that judges instead of a stand-in")
    judge_url: str | None = option(
        None, "OpenAI-compatible endpoint of the judge (key: JUDGE_API_KEY)"
    )
    judge_requests: int = option(200, "maximum number of requests to the judge", min=30)
