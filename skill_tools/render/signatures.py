"""A tool's parameters as Python types them, for frameworks that read a method's signature."""

from __future__ import annotations

from typing import Any

from skill_tools.spec.parameters import Array, Enum, Tool

_TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}


def signature(tool: Tool) -> str:
    """What follows ``self`` in a method: all by keyword, in the author's order, with their defaults."""
    typed = [
        f"{name}: {_annotation(each)}{_or_none(each)}" for name, each in tool.parameters.items()
    ]
    return "".join(f", {part}" for part in ("*", *typed)) if typed else ""


def _annotation(parameter: Any) -> str:
    if isinstance(parameter, Array):
        return f"list[{_annotation(parameter.items)}]"
    if isinstance(parameter, Enum):
        return f"Literal[{', '.join(map(repr, parameter.values))}]"
    return _TYPES[parameter.type]


def _or_none(parameter: Any) -> str:
    if not parameter.optional:
        return ""
    return f"{' | None' if parameter.default is None else ''} = {parameter.default!r}"
