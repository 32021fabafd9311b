"""Where the Desktop environment's domain can be imported: on the local backend, and on a stand-in for E2B."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from skill_tools.frameworks.rules import load
from skill_tools.render import wheel
from skill_tools.render.plan import DOMAIN_REQUIREMENTS
from skill_tools.runtime import interpreters, supervise, venvs
from skill_tools.runtime.doctor import SCREEN
from skill_tools.runtime.environment import child_environment
from tests.conftest import ROOT

HERE = Path(__file__).parent
MISSING = [name for name in (*SCREEN, "mousepad", "galculator", "xev") if not shutil.which(name)]
here = pytest.mark.skipif(
    bool(MISSING), reason=f"{', '.join(MISSING)} not installed: see `skill-tools doctor`"
)
"""On tests that need a screen: without its programs all others are played."""
DESKTOP = ROOT / "reference_envs" / "desktop_env"
E2B = ("e2b-desktop>=2.7,<2.7.2", "e2b-code-interpreter>=2.11,<3")
MANAGERS = {"xfwm4": "openbox", "xfce4-session": "sleep", "xfdesktop": "sleep"}
"""What stands for each of Xfce's programs where there is no Xfce."""


@dataclass(frozen=True)
class Place:
    """A Python with the domain's packages, and the variables that it is run with."""

    folder: Path
    python: Path
    variables: dict[str, str] = field(default_factory=dict)

    def run(self, part: str, *arguments: str, seconds: float = 240) -> Any:
        """What a part of desktop_facts.py prints, as JSON."""
        log = self.folder / f"{part}.log"
        settings = {"PYTHONPATH": str(self.folder), **self.variables}
        done = supervise.run(
            [str(self.python), str(HERE / "desktop_facts.py"), part, *arguments],
            cwd=self.folder,
            env=child_environment(settings, keep=["E2B_API_KEY"]),
            timeout=seconds,
            log=log,
        )
        text = log.read_text("utf-8", "replace")
        assert done.returncode == 0, text[-4000:]
        return json.loads(text.splitlines()[-1])


def place(folder: Path, more: tuple[str, ...] = (), **variables: str) -> Place:
    """A place with the packages of env.yaml, and more."""
    spec = load(DESKTOP)
    folder.mkdir(exist_ok=True)
    (folder / spec.package).symlink_to(DESKTOP)
    (folder / wheel.SANDBOX.imported).symlink_to(wheel.SANDBOX.unpacked(DESKTOP, folder / "wheels"))
    python = venvs.base(
        [*DOMAIN_REQUIREMENTS, *spec.packages, *more], interpreters.find(">=3.11,<3.15")
    ).python
    return Place(folder, python, variables)


def xfce(folder: Path) -> Path:
    """A folder with programs that are called as Xfce's."""
    programs = folder / "programs"
    programs.mkdir()
    for name, real in MANAGERS.items():
        (programs / name).symlink_to(shutil.which(real))
    start = programs / "startxfce4"
    start.write_text("#!/bin/sh\nxfwm4 & xfce4-session infinity & xfdesktop infinity & wait\n")
    start.chmod(0o755)
    return programs
