"""A solver's result, in addition to the files in its workspace."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from evals.case import Case


class Built(BaseModel):
    """The frameworks requested in a sample, the solver's last message, and its report on its work."""

    frameworks: list[str] = []
    said: str = ""
    loaded: dict[str, str | None] | None = {}
    effort: dict[str, Any] = {}
    transcript: str = ""


Build = Callable[[Case, Path], Built]
"""A solver: a function that builds a case's solution in a fresh folder."""
