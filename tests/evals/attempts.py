"""Attempts as playing leaves them, for scorers to look at; no process runs."""

from __future__ import annotations

from pathlib import Path

from evals.attempt import Attempt, Played
from evals.case import Case


def played(case: Case, folder: Path, frameworks: list[str], held: bool = True) -> Attempt:
    """Every hidden episode of a case, all of whose expectations held, or none."""
    steps = [
        {"said": "open train 0", "seen": "hello", "reward": None, "done": False},
        {"said": "guess(number=5)", "seen": "RESULT: higher", "reward": 0.0, "done": False},
    ]
    return Attempt(
        folder=str(folder),
        frameworks=frameworks,
        found=dict.fromkeys(frameworks, "env.py"),
        tools={name: list(case.asks.tools) for name in frameworks},
        played=[
            Played(
                episode=episode.name,
                framework=name,
                outcomes=dict.fromkeys(episode.names, (held, "" if held else "it did not")),
                steps=[dict(step) for step in steps],
            )
            for name in frameworks
            for episode in case.episodes
        ],
    )
