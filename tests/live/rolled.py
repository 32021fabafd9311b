"""Scripts played by a variant's own rollout.py, as our checks play them."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from skill_tools.evidence.trajectory import Trajectory
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.frameworks.rules import load
from skill_tools.policies.scripted import Script, as_text
from skill_tools.policies.server import PolicyEndpoint
from skill_tools.rollouts.options import RolloutOptions
from skill_tools.rollouts.rollout import RolloutProcess, roll_out, variant_venv
from skill_tools.runtime import venvs
from skill_tools.runtime.environment import child_environment


def roll(
    folder: Path,
    framework: str,
    scripts: Mapping[str, Mapping[str, Script]],
    count: int,
    *,
    venv: venvs.Overlay | None = None,
    split: str = "train",
    url: str | None = None,
    environment: Mapping[str, str] | None = None,
    **options: Any,
) -> list[Trajectory]:
    """Play every policy on the first ``count`` tasks of a split; one trajectory each."""
    spec = load(folder)
    with PolicyEndpoint(scripts, partial(as_text, spec)) as endpoint:
        place = venv or variant_venv(spec, folder, FRAMEWORKS[framework])
        return roll_out(
            RolloutProcess(folder, framework, place, url=url, environment=environment or {}),
            list(scripts),
            RolloutOptions(
                base_url=endpoint.base_url, split=split, indices=(0, count - 1), **options
            ),
        )


def program(folder: Path, framework: str, text: str, *arguments: str) -> str:
    """Run a program in a variant's folder and venv; returns what it printed."""
    venv = variant_venv(load(folder), folder, FRAMEWORKS[framework])
    run = subprocess.run(
        [*map(str, [venv.python, "-c", text, *arguments])],
        cwd=folder / framework,
        env=child_environment(FRAMEWORKS[framework].environment),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-4000:]
    return run.stdout
