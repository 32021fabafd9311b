"""Findings of checks that an author accepts: exceptions, and bounds on the returns of players."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from skill_tools.spec.parameters import Strict


class CheckException(Strict):
    """A finding that is accepted in this environment."""

    check: str
    """Id or name of the check, such as TAS003."""
    split: str = ""
    """Split in which the finding is accepted, such as test; all splits if empty."""
    task: str = ""
    """Task in which the finding is accepted, such as train/3; all tasks if empty."""
    tool: str = ""
    """Tool that the finding names; all tools if empty."""
    parameter: str = ""
    """Parameter that the finding names; all parameters if empty."""
    file: str = ""
    """File that the finding names, yours or a rendered one; all files if empty."""
    where: str = ""
    """Deprecated: words of the message. Name a place instead, because messages change."""
    because: Annotated[str, Field(min_length=10)]
    """Why the finding is intended here, in one sentence; the report shows it."""


class CheckBound(Strict):
    """The share that a player may earn in this environment before a check reports a defect."""

    share: Annotated[float, Field(gt=0.0, le=1.0)]
    """The share up to which the finding is only a note; the check's page has its meaning and default."""
    because: Annotated[str, Field(min_length=10)]
    """Why this share is acceptable here, in one sentence; the report shows it."""
