"""A tool's parameters as Python type hints."""

from __future__ import annotations

from skill_tools.spec.parameters import Array, Enum, Object, Parameter
from skill_tools.spec.tools import Tool

_TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}


def signature(tool: Tool) -> str:
    """Return a method's parameters after ``self``: keyword-only, in the author's order, with defaults."""
    typed = [
        f"{name}: {_annotation(each)}{_or_none(each)}" for name, each in tool.parameters.items()
    ]
    return "".join(f", {part}" for part in ("*", *typed)) if typed else ""


def _annotation(parameter: Parameter) -> str:
    if isinstance(parameter, Array):
        shown = f"list[{_annotation(parameter.items)}]"
    elif isinstance(parameter, Enum):
        shown = f"Literal[{', '.join(map(repr, parameter.values))}]"
    elif isinstance(parameter, Object):
        mapped = _annotation(parameter.values) if parameter.values else "Any"
        shown = f"dict[str, {'Any' if parameter.fields else mapped}]"
    else:
        shown = _TYPES.get(parameter.type, "Any")
    return f"{shown} | None" if parameter.nullable else shown


def _or_none(parameter: Parameter) -> str:
    if not parameter.optional:
        return ""
    none = parameter.default is None and not parameter.nullable
    return f"{' | None' if none else ''} = {parameter.default!r}"
