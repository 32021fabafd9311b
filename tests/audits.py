"""An audit with options by their names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import skill_tools
from skill_tools.runtime.progress import Progress, silent


def audit(
    target: str | Path,
    framework: str | None = None,
    *,
    progress: Progress = silent,
    **options: Any,
) -> skill_tools.Outcome:
    """Audit a target; the options are the fields of ``AuditOptions``."""
    asked = skill_tools.AuditOptions(**options)
    return skill_tools.audit(target, framework, asked, progress=progress)
