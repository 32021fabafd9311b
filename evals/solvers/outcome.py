"""What a solver hands over besides the files that it left in its workspace."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from evals.case import Case


class Built(BaseModel):
    """What was asked of it in this sample, what it said, and what it reports of its work."""

    frameworks: list[str] = []
    said: str = ""
    loaded: dict[str, str | None] | None = {}
    effort: dict[str, Any] = {}
    transcript: str = ""


Build = Callable[[Case, Path], Built]
"""A solver: builds a case in a fresh folder."""
