"""A target that its driver plays by calls of a test's own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from skill_tools.audit.driver import DriverSession
from skill_tools.audit.groups import play_groups
from skill_tools.audit.target import recognise
from skill_tools.audit.target_venv import target_venv
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.runtime.progress import silent


@dataclass
class Driven:
    """A discovered target, and the last episode that was played on it."""

    session: DriverSession
    found: dict[str, Any]
    played: list[Trajectory] = field(default_factory=list)

    @property
    def last(self) -> Trajectory:
        return self.played[-1]

    def play(self, *scripts: Sequence[dict[str, Any]], seed: int = 0) -> Trajectory:
        """Play scripts, alternating between them; return the first one's episode."""
        place = {"split": None, "index": None, "seed": seed}
        made = [
            {**place, "policy": f"test {at}", "label": "test", "calls": list(calls)}
            for at, calls in enumerate(scripts)
        ]
        got, left = play_groups(self.session, [{"key": "test", "scripts": made}], 60.0)
        assert not left
        self.played = [each.trajectory for each in got["test"]]
        return self.played[0]


def driven(target: str | Path, framework: str, **more: Any) -> Driven:
    """Discover a target; the options are those of ``recognise``."""
    found = recognise(str(target), framework, **more)
    session = DriverSession(found, target_venv(found, silent), 10.0, url=found.url)
    ended = session.ask("discover", 60.0, count=3)
    assert ended.lines, ended.why
    told = json.loads(ended.lines[0])
    return Driven(replace(session, found=told), told)
