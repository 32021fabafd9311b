"""Actions in Gymnasium's spaces: their JSON Schema, their description, and their conversion from JSON values.

Runs in the venv of Gymnasium or PettingZoo.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from string import ascii_lowercase
from typing import Any

import numpy as np
from audit_bounds import Broken
from audit_driver import Refused
from gymnasium import spaces

EXACT = 2**53
"""Integers from here on differ between readers of JSON."""
EXAMPLES = 5
"""Number of examples of a text of unusual characters."""
FEW = 16
"""Number of characters of a text that are listed one by one."""


def step_tool(space: Any) -> dict[str, Any]:
    """Return the tool ``step``, whose argument is an action from the space."""
    action = {"description": f"The action: {in_words(space)}.", **schema_of(space)}
    parameters = {"type": "object", "properties": {"action": action}, "required": ["action"]}
    tool = {"name": "step", "description": "Play one action."}
    return {**tool, "parameters": {**parameters, "additionalProperties": False}}


def step_action(space: Any, tool: str, arguments: Any) -> Any:
    """Return the action in a call to the tool ``step``. Raise Refused for any other call."""
    if tool != "step":
        raise Refused(f"there is no tool {tool!r}; the only tool is step")
    if not isinstance(arguments, dict) or arguments.keys() != {"action"}:
        raise Refused("step has one argument, action")
    return action_of(space, arguments["action"])


def schema_of(space: Any) -> dict[str, Any]:
    """Return the JSON Schema of a space's values. Raise Broken for a space that JSON cannot express."""
    if isinstance(space, spaces.Discrete):
        return _integer(space.start, space.start + space.n - 1)
    if isinstance(space, spaces.MultiDiscrete):
        return _array(np.asarray(space.start), space.start + space.nvec - 1, whole=True)
    if isinstance(space, spaces.MultiBinary):
        low = np.zeros(space.shape, int)
        return _array(low, low + 1, whole=True)
    if isinstance(space, spaces.Box):
        return _array(space.low, space.high, whole=np.issubdtype(space.dtype, np.integer))
    if isinstance(space, spaces.Text):
        allowed = re.sub(r"([\\\]\[^-])", r"\\\1", "".join(sorted(space.character_set)))
        bounds = {"minLength": space.min_length, "maxLength": space.max_length}
        made = {"type": "string", **bounds, "pattern": f"^[{allowed}]*$"}
        # Whoever makes texts of letters would make none that is allowed.
        few = not set(ascii_lowercase) <= space.character_set
        return {**made, "examples": _examples(space)} if few else made
    if isinstance(space, spaces.Dict):
        fields = {name: schema_of(inner) for name, inner in space.spaces.items()}
        made = {"type": "object", "properties": fields, "required": list(fields)}
        return {**made, "additionalProperties": False}
    if isinstance(space, spaces.Tuple):
        return _row([schema_of(inner) for inner in space.spaces])
    if isinstance(space, spaces.Sequence) and not space.stack:
        return {"type": "array", "items": schema_of(space.feature_space)}
    raise Broken("action_space", f"its actions are in {space}, which JSON cannot express")


def action_of(space: Any, value: Any) -> Any:
    """Return the action for a JSON value. Raise Refused if the action is not in the space."""
    made = _action(space, value, "action")
    if not space.contains(made):
        raise Refused(f"action {_short(value)} is not allowed: expected {in_words(space)}")
    return made


def in_words(space: Any) -> str:
    """Return a description of the values of a space."""
    if isinstance(space, spaces.Discrete):
        return f"an integer from {space.start} to {space.start + space.n - 1}"
    if isinstance(space, spaces.MultiDiscrete) and space.nvec.ndim == 1:
        last = space.start + space.nvec - 1
        each = ", ".join(f"{a} to {b}" for a, b in zip(space.start, last, strict=True))
        return f"a list of {len(space.nvec)} integers ({each})"
    if isinstance(space, spaces.Box) and space.shape == ():
        return f"a number{_range(space.low, space.high)}"
    if isinstance(space, spaces.MultiBinary | spaces.MultiDiscrete | spaces.Box):
        kind = "integers" if np.issubdtype(space.dtype, np.integer) else "numbers"
        bounds = _range(space.low, space.high) if isinstance(space, spaces.Box) else ""
        binary = " (0 or 1)" if isinstance(space, spaces.MultiBinary) else ""
        return f"a list of {' by '.join(map(str, space.shape))} {kind}{bounds}{binary}"
    if isinstance(space, spaces.Text):
        few = "".join(sorted(space.character_set))
        of = f" out of {few}" if len(few) <= FEW else ""
        return f"a text of {space.min_length} to {space.max_length} characters{of}"
    if isinstance(space, spaces.Dict):
        fields = "; ".join(f"{name}: {in_words(each)}" for name, each in space.spaces.items())
        return f"an object with {fields}"
    if isinstance(space, spaces.Tuple):
        return f"a list of {'; '.join(map(in_words, space.spaces))}"
    if isinstance(space, spaces.Sequence):
        return f"a list, each item {in_words(space.feature_space)}"
    return str(space)


def _action(space: Any, value: Any, where: str) -> Any:
    if isinstance(space, spaces.Dict):
        if not isinstance(value, Mapping) or value.keys() != space.spaces.keys():
            raise Refused(f"{where} must be an object with {', '.join(space.spaces)}")
        return {
            name: _action(inner, value[name], f"{where}.{name}")
            for name, inner in space.spaces.items()
        }
    if isinstance(space, spaces.Tuple):
        if not isinstance(value, list) or len(value) != len(space.spaces):
            raise Refused(f"{where} must be a list of {len(space.spaces)}")
        pairs = enumerate(zip(space.spaces, value, strict=True))
        return tuple(_action(inner, each, f"{where}[{at}]") for at, (inner, each) in pairs)
    if isinstance(space, spaces.Sequence):
        if not isinstance(value, list):
            raise Refused(f"{where} must be a list")
        inner = space.feature_space
        return tuple(_action(inner, each, f"{where}[{at}]") for at, each in enumerate(value))
    if isinstance(space, spaces.Text):
        if not isinstance(value, str) or not space.contains(value):
            raise Refused(f"{where} must be {in_words(space)}, not {_short(value)}")
        return value
    whole = np.issubdtype(space.dtype, np.integer)
    if not _has_shape(value, space.shape, whole) or not _fits(space, value):
        raise Refused(f"{where} must be {in_words(space)}, not {_short(value)}")
    made = np.asarray(value, space.dtype)
    return made[()] if isinstance(space, spaces.Discrete) else made


def _has_shape(value: Any, shape: Sequence[int], whole: bool) -> bool:
    """Return whether JSON data is an array of this shape, with whole numbers if ``whole`` is set."""
    if shape:
        size, *inner = shape
        right = isinstance(value, list) and len(value) == size
        return right and all(_has_shape(each, inner, whole) for each in value)
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (
        isinstance(value, float) and math.isfinite(value) and not whole
    )


def _fits(space: Any, value: Any) -> bool:
    """Return whether numbers are within a space's bounds.

    The check uses the original numbers, because the space's own number type may wrap or round numbers.
    """
    numbers = np.asarray(value, object)
    if isinstance(space, spaces.Discrete):
        return bool(space.start <= numbers < space.start + space.n)
    if isinstance(space, spaces.MultiBinary):
        return bool(np.all((numbers == 0) | (numbers == 1)))
    if isinstance(space, spaces.MultiDiscrete):
        return bool(np.all((numbers >= space.start) & (numbers < space.start + space.nvec)))
    if np.issubdtype(space.dtype, np.integer):
        return bool(np.all((numbers >= space.low) & (numbers <= space.high)))
    # In the space's own precision: a bound such as 0.1 has no exact value.
    with np.errstate(over="ignore"):
        made = np.asarray(value, space.dtype)
    return bool(np.all(np.isfinite(made) & (made >= space.low) & (made <= space.high)))


def _array(low: Any, high: Any, whole: bool) -> dict[str, Any]:
    if low.ndim == 0:
        return _number(low, high, whole)
    return _row([_array(low[at], high[at], whole) for at in range(len(low))], (low, high, whole))


def _row(
    schemas: list[dict[str, Any]], numbers: tuple[Any, Any, bool] | None = None
) -> dict[str, Any]:
    """Return the schema of a list of fixed length, with a single item schema if all items have the same schema."""
    bounds = {"type": "array", "minItems": len(schemas), "maxItems": len(schemas)}
    if schemas and all(each == schemas[0] for each in schemas):
        return {**bounds, "items": schemas[0]}
    if numbers and numbers[0].ndim == 1:
        # For readers who know no prefixItems, the bounds of all.
        low, high, whole = numbers
        return {**bounds, "prefixItems": schemas, "items": _number(low.min(), high.max(), whole)}
    return {**bounds, "prefixItems": schemas}


def _integer(low: Any, high: Any) -> dict[str, Any]:
    """Return the schema of an integer, without bounds that JSON cannot express exactly."""
    bounds = {"minimum": int(low), "maximum": int(high)}
    return {"type": "integer", **{key: n for key, n in bounds.items() if abs(n) < EXACT}}


def _number(low: Any, high: Any, whole: bool) -> dict[str, Any]:
    if whole:
        return _integer(low, high)
    bounds = {"minimum": _short_float(low), "maximum": _short_float(high)}
    return {"type": "number", **{key: each for key, each in bounds.items() if math.isfinite(each)}}


def _range(low: Any, high: Any) -> str:
    least, most = np.min(low), np.max(high)
    bounds = [f" from {least!s}"] * bool(np.isfinite(least)) + [f" up to {most!s}"] * bool(
        np.isfinite(most)
    )
    return "".join(bounds)


def _examples(space: Any) -> list[Any]:
    """Return some values of a space, which are the same every time."""
    space = deepcopy(space)
    space.seed(0)
    return [space.sample() for _ in range(EXAMPLES)]


def _short_float(bound: Any) -> float:
    """Return the shortest decimal number for a bound, for example 0.1 for 0.1 in single precision."""
    return float(str(bound))


def _short(value: Any) -> str:
    said = json.dumps(value, default=str)
    return said if len(said) <= 100 else f"{said[:100]}…"
