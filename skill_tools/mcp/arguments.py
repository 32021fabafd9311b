"""Arguments that several MCP tools share, with descriptions for the model."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field


def _as_list(value: Any) -> Any:
    """Return a list of names from a list or a text.

    A client may send a text with one name, with several names separated by commas, or with a JSON or Python list.
    """
    if not isinstance(value, str):
        return value
    names = (name.strip(" \t\n'\"") for name in value.strip().strip("[]").split(","))
    return [name for name in names if name]


EnvPath = Annotated[
    str, Field(description="absolute path of the environment's folder, which holds env.yaml")
]
Names = Annotated[
    list[str] | None,
    BeforeValidator(_as_list),
    Field(
        description="only these of openenv, ors, verifiers, nemo_gym, skyrl_gym, gem, trl; or ['all']; "
        "default: those of env.yaml"
    ),
]
Split = Annotated[str | None, Field(description="split to play; default: the first")]
Approve = Annotated[
    bool,
    Field(
        description="true only after the user agreed to run the Python code in this folder with "
        "their rights (for files you wrote yourself, a request to build counts); remembered"
    ),
]
Offset = Annotated[int, Field(ge=0, description="next_offset of the previous answer")]
FEW = "number of tasks; default: 10, or fewer if episodes are expensive"
Limit = Annotated[int, Field(ge=1, description="maximum number of entries; fewer if they are long")]
