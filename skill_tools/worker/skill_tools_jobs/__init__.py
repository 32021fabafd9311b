"""The jobs of the child process.

The package name is unusual because authors' requirements are imported alongside it. Each module imports the
standard library and the modules next to it, but never the package around this folder.
"""

from collections.abc import Sequence
from typing import Any, TypedDict

Json = dict[str, Any]
"""A JSON object: a task, a step, or an answer, which the parent validates (``reference.replies``)."""
Call = Sequence[Any]
"""A tool and its arguments."""
Calls = list[Call]
Place = tuple[str, int]
"""A split and the index of a task."""


class Request(TypedDict):
    """The settings of all jobs in a process, written by ``reference.process``."""

    rendered: str
    packages: list[str]
    folder: str
    package: str
    domain: list[str]
    oracle: list[str]
    by_task: bool
    tools: dict[str, str]
    """The domain's method by tool."""
    tasks: str
    groups: list[list[Json]]
    results: str
    stacks: str
    log: str
    cwd: str
    environment: dict[str, str]
    later: float


Played = TypedDict(
    "Played",
    {
        "prompt": list[Json], "offered": list[Json], "steps": list[Json], "final_reward": float,
        "return": float | None, "metrics": dict[str, float] | None, "end": str,
        "requests": list[Json] | None,
        "failure": dict[str, str], "slowest": float, "after": str,
    },
    total=False,
)  # fmt: skip
"""The observations and rewards of an episode, in the fields of a trajectory."""
