"""Origins: everything that the episodes in a variant depend on, so that unchanged episodes are not replayed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Origin:
    """What one policy's episodes in one variant depend on.

    Attributes:
        at: When they were played, in UTC.
        keys: A hash of everything that the episode depends on, by label.
        taken: Whether an earlier build played them.
    """

    at: datetime
    keys: Mapping[str, str]
    taken: bool = False


Origins = Mapping[str, Mapping[str, Origin]]
"""The origins, by variant and policy."""
