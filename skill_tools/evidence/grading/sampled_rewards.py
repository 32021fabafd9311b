"""The rewards of a real model's replies."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sampled:
    """The rewards of a real model's replies, per task. The reward of a reply without a score is None."""

    model: str
    paid: tuple[tuple[str, tuple[float | None, ...]], ...]
