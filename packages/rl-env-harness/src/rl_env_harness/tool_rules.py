"""What the arguments of each tool must fit: what models see, and what their servers would refuse.

`skill-tools render` overwrites this file.
"""

import copy
from typing import Any

from . import env_spec


def _with_unshown(tool: dict[str, Any]) -> dict[str, Any]:
    schema: dict[str, Any] = copy.deepcopy(tool["parameters"])
    for name, unshown in env_spec.UNSHOWN.get(tool["name"], {}).items():
        field = schema["properties"][name]
        field |= {key: value for key, value in unshown.items() if key != "items"}
        if "items" in unshown:
            field["items"] |= unshown["items"]
    return schema


RULES = {tool["name"]: _with_unshown(tool) for tool in env_spec.TOOLS}
"""The JSON Schema to which calls of each tool are held."""


def without_nulls(schema: dict[str, Any], arguments: Any) -> Any:
    """Arguments without optional ones that are null, as some models write one that they leave out."""
    if not isinstance(arguments, dict):
        return arguments
    free = schema["properties"].keys() - set(schema["required"])
    return {k: value for k, value in arguments.items() if value is not None or k not in free}


def whole(schema: dict[str, Any], value: Any) -> Any:
    """Valid arguments as the domain takes them: defaults filled in, 2.0 made the integer 2."""
    if value is None:  # the default, which is null
        return None
    if schema["type"] == "object":
        fields = schema["properties"].items()
        given = {name: value.get(name, field.get("default")) for name, field in fields}
        return {name: whole(schema["properties"][name], given[name]) for name in given}
    if schema["type"] == "array":
        return [whole(schema["items"], item) for item in value]
    return int(value) if schema["type"] == "integer" else value
