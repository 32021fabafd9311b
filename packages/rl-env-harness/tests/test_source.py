"""Tests of the source tree: the imports between its modules."""

from __future__ import annotations

import ast
import graphlib
from collections.abc import Iterator
from pathlib import Path

import rl_env_harness

SOURCE = Path(rl_env_harness.__file__).parent
ROOMS = ("", "records", "models", "servers", "rollouts", "screen")
"""In the order of imports: a room imports those before it, and the episode ("") none of them."""


def modules() -> dict[str, set[str]]:
    """For each module of the package, return the modules of the package that it imports, even inside functions."""
    found = {}
    for path in SOURCE.rglob("*.py"):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        found[".".join(parts).removesuffix("__init__").rstrip(".")] = set(imported(path, parts))
    return {name: others & found.keys() - {name} for name, others in found.items()}


def imported(path: Path, parts: tuple[str, ...]) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = (*parts[: len(parts) - node.level], *(node.module or "").split("."))
            yield ".".join(filter(None, base))
            yield from (".".join(filter(None, (*base, each.name))) for each in node.names)


def room(module: str) -> str:
    return module.partition(".")[0] if module.partition(".")[0] in ROOMS else ""


def test_no_two_modules_import_each_other() -> None:
    graphlib.TopologicalSorter(modules()).prepare()  # raises CycleError, which names them


def test_a_room_imports_those_before_it_alone() -> None:
    wrong = [
        f"{name} imports {other}"
        for name, others in modules().items()
        for other in others
        if ROOMS.index(room(other)) > ROOMS.index(room(name))
    ]
    assert not wrong


def test_nothing_imports_the_tools() -> None:
    assert not [path for path in SOURCE.rglob("*.py") if "skill_tools" in path.read_text("utf-8").replace("skill-tools", "")]  # fmt: skip  # noqa: E501


def test_modules_are_small_and_folders_have_few() -> None:
    sizes = {path: len(path.read_text("utf-8").splitlines()) for path in SOURCE.rglob("*.py")}
    assert not {path.name for path, lines in sizes.items() if lines > 300}
    folders = [path.parent for path in sizes if path.stem != "__init__"]
    assert not {folder.name for folder in folders if folders.count(folder) > 15}
