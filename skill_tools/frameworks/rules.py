"""The chosen frameworks' rules for a spec, about reserved names and about the addresses of tools."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from skill_tools.frameworks import FRAMEWORKS
from skill_tools.spec.model import EnvSpec
from skill_tools.spec.reader import read


def load(folder: Path) -> EnvSpec:
    """Read the spec of an environment folder, and check the spec against its frameworks' rules as well.

    Raises SpecError with every problem found, each with its line, field and fix.
    """
    return read(folder, framework_problems)


def framework_problems(spec: EnvSpec) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Yield a problem for each name that a chosen framework reserves, and for tools that would share an address."""
    for framework in (FRAMEWORKS[name] for name in spec.frameworks):
        if spec.name in framework.reserved_names:
            problem = f"the name {spec.name!r} is already used in {framework.title}"
            yield ("name",), problem, "choose another name"
        addresses: dict[str, str] = {}
        for tool in spec.tools:
            place = ("tools", tool)
            if tool in framework.reserved_tools:
                why = f": {framework.reserved_because}"
                problem = f"the tool name {tool!r} is reserved by {framework.title}{why}"
                yield place, problem, f"rename it, for example play_{tool}"
            other = addresses.setdefault(framework.endpoint(tool), tool)
            if other != tool:
                problem = (
                    f"the tools {tool!r} and {other!r} get the same route in {framework.title}"
                )
                yield place, problem, "rename one of them"
