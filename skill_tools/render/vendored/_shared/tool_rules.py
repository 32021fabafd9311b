"""What the arguments of each tool must fit: what models see, and what their servers would refuse.

`skill-tools render` overwrites this file.
"""

import copy
from typing import Any

from . import env_spec


def _whole(tool: dict[str, Any]) -> dict[str, Any]:
    schema = copy.deepcopy(tool["parameters"])
    for name, unshown in env_spec.UNSHOWN.get(tool["name"], {}).items():
        field = schema["properties"][name]
        field |= {key: value for key, value in unshown.items() if key != "items"}
        if "items" in unshown:
            field["items"] |= unshown["items"]
    return schema


RULES = {tool["name"]: _whole(tool) for tool in env_spec.TOOLS}
"""The JSON Schema to which calls of each tool are held."""
