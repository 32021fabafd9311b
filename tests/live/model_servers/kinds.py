"""All kinds, as one table."""

from __future__ import annotations

from . import items, known, shapes, tokens, troubles
from .wire import Kind

KINDS: dict[str, Kind] = {
    kind.name: kind
    for module in (known, shapes, troubles, items, tokens)
    for kind in module.KINDS
}  # fmt: skip


def names(api: str) -> list[str]:
    """The kinds of servers that speak an API."""
    return [name for name, kind in KINDS.items() if kind.api == api]
