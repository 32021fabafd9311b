"""Module sizes and the direction of imports."""

from __future__ import annotations

import ast
import graphlib
import importlib
from functools import cache
from pathlib import Path
from statistics import median

import pytest

import skill_tools
from skill_tools.checks import MODULES as OF_FAMILIES
from tests.over import over

from .conftest import ROOT

pytestmark = pytest.mark.xdist_group("architecture")  # one worker parses all modules, once
PACKAGE = ROOT / "skill_tools"
ROOMS = (
    "errors",
    "files",
    "spec",
    "frameworks",
    "backends",
    "archetypes",
    "render",
    "evidence",
    "runtime",
    "worker",
    "policies",
    "reference",
    "graders",
    "probes",
    "rollouts",
    "audit",
    "checks",
    "learnability",
    "report",
    "ports",
    "pipeline",
    "mcp",
    "cli",
)
"""In the order in which data flows; a room imports from those before it only."""
MOST_ROOMS, MOST_ARROWS = 22, 104
"""``evidence`` lies between the rooms that write it and those that read it, and so has arrows of its own;
``cli`` and ``pipeline`` were single modules; ``checks`` reads the names of frameworks from their records; ``mcp`` shows
pictures, which are evidence."""
MOST_WITHIN = {"checks": 58}
"""Imports between the folders of a room, by file and folder; in ``play`` those of answers
and rows, which audits and probes take, are the last. Two came with the checks of models inside."""
MOST_LINES = 59
"""Of a function without its docstring: it is seen at once."""
MOST_PARAMETERS = 8
"""Of a function, ``self`` among them; more are a dataclass that nobody wrote."""
RANK = {name: rank for rank, name in enumerate(ROOMS)}
API = "skill_tools"
PUBLIC = set(skill_tools.__all__) - {"__version__"}
COPIED = {"starters", "templates"}
"""Folders of what is rendered or copied into environments; it imports nothing of ours."""
MODULES = [path for path in PACKAGE.rglob("*.py") if not COPIED & set(path.parts)]


@cache
def parsed(path: Path) -> ast.Module:
    """A module's syntax tree, read once for all guards."""
    return ast.parse(path.read_text("utf-8"))


def room(path: Path) -> str:
    # The package itself offers what the pipeline has, imported lazily; so it is the pipeline's.
    name = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return "pipeline" if name == "__init__" else room_of(name)


def room_of(module: str) -> str:
    """The room of a module, by its dotted name below the package."""
    return module.partition(".")[0]


@cache
def imported_modules(path: Path) -> set[str]:
    """The modules of ours that a module imports, as dotted names below the package."""
    found = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            # The public API: `import skill_tools`, or a name of it.
            names = {alias.name for alias in node.names}
            found |= {f"{API}.pipeline" if name == API else name for name in names}
        elif isinstance(node, ast.ImportFrom):
            parent = node.module or ""
            if parent == API and {alias.name for alias in node.names} & PUBLIC:
                found.add(f"{API}.pipeline")
                continue
            below = PACKAGE.parent.joinpath(*parent.split("."))
            inner = [a.name for a in node.names if _is_module(below / a.name)]
            found |= {f"{parent}.{name}" for name in inner}
            found |= set() if len(inner) == len(node.names) else {parent}
    return {name.removeprefix("skill_tools.") for name in found if name.startswith("skill_tools.")}


@cache
def _is_module(path: Path) -> bool:
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


def arrows() -> dict[tuple[str, str], list[str]]:
    """Imports from one room to another: {(from, to): the modules that import}."""
    found: dict[tuple[str, str], list[str]] = {}
    for path in MODULES:
        for name in imported_modules(path):
            other = room_of(name)
            if other != room(path):
                found.setdefault((room(path), other), []).append(str(path.relative_to(PACKAGE)))
    return found


@over("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_follow_the_data(path: Path) -> None:
    here = room(path)
    assert here in RANK, f"name the room of {here} in ROOMS, or move it into one"
    for other in {room_of(name) for name in imported_modules(path)} - {here}:
        assert RANK[other] < RANK[here], f"{here} imports {other}, which comes after it"


def test_rooms_and_the_arrows_between_them_are_few() -> None:
    # The errors and the files are everybody's, and say nothing of the architecture.
    found = {(a, b) for a, b in arrows() if b not in ("errors", "files")}
    for a in ROOMS:
        print(f"{a:11} -> {', '.join(b for b in ROOMS if (a, b) in found)}")
    rooms = [path for path in PACKAGE.iterdir() if (path / "__init__.py").is_file()]
    print(f"{len(rooms)} rooms, {len(found)} arrows")
    assert {path.name for path in rooms} <= set(ROOMS)
    assert len(rooms) <= MOST_ROOMS
    assert len(found) <= MOST_ARROWS


def within(room_name: str) -> set[tuple[str, str]]:
    """Imports within a room from a file to a folder, or a module, other than its own."""

    def part(module: str) -> str:
        names = module.split(".")
        folder = PACKAGE.joinpath(*names).is_dir()
        return ".".join(names if folder else names[:-1])

    found = set()
    for path in MODULES:
        here = _dotted(path)
        if here.partition(".")[0] == room_name and path.stem != "__init__":
            others = {name for name in imported_modules(path) if name.startswith(f"{room_name}.")}
            # What makes a check a check says nothing of the way that data goes.
            others -= {"checks.check", "checks.needs"}
            found |= {(here, part(name)) for name in others if part(name) != part(here)}
    return found


@pytest.mark.parametrize("name", MOST_WITHIN)
def test_arrows_within_a_room_are_few(name: str) -> None:
    found = within(name)
    for here, there in sorted(found):
        print(f"{here} -> {there}")
    print(f"{name}: {len(found)} arrows within")
    assert len(found) <= MOST_WITHIN[name]


def test_checks_know_nothing_of_play() -> None:
    assert not [pair for pair in arrows() if pair[0] == "checks" and pair[1] == "play"]


def test_no_family_of_rules_imports_another() -> None:
    rules = PACKAGE / "checks" / "rules"
    for path in rules.rglob("*.py"):
        if path.parent == rules and path.stem == "__init__":
            continue
        family = path.relative_to(rules).parts[0].removesuffix(".py")
        for name in imported_modules(path):
            if name.startswith("checks.rules."):
                assert name.split(".")[2] == family, f"{path} imports {name}"


def test_a_checks_letters_are_those_of_its_family() -> None:
    assert len(set(OF_FAMILIES.values())) == len(OF_FAMILIES)
    for letters, name in OF_FAMILIES.items():
        module = importlib.import_module(f"skill_tools.checks.rules.{name}")
        assert {each.family for each in module.CHECKS} == {letters}


def test_no_two_modules_import_each_other() -> None:
    names = {_dotted(path): imported_modules(path) for path in MODULES}
    order = graphlib.TopologicalSorter({name: names[name] - {name} for name in names})
    order.prepare()  # raises CycleError, which names the modules of the cycle


def _dotted(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_a_name_means_one_class() -> None:
    """Who reads ``Finding`` or ``Job`` anywhere in the package knows which it is."""
    places: dict[str, list[str]] = {}
    for path in MODULES:
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(str(path.relative_to(PACKAGE)))
    assert "Finding" in places
    assert not {name: found for name, found in places.items() if len(found) > 1}


def test_modules_are_small() -> None:
    sizes = {path: len(path.read_text("utf-8").splitlines()) for path in MODULES}
    assert not [str(path) for path, lines in sizes.items() if lines > 300]
    assert median(sizes.values()) <= 140


def written() -> list[Path]:
    """Modules of ours, except for what is copied as a starter and for the evals' cases."""
    others = {"starters", "templates", "cases", "runs"}
    folders = (PACKAGE, ROOT / "evals", ROOT / "tools")
    found = [path for folder in folders for path in folder.rglob("*.py")]
    return [path for path in found if not others & set(path.relative_to(ROOT).parts)]


def test_a_line_has_one_constant() -> None:
    """So that each has its unit and its reason below it."""
    several = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}"
        for path in written()
        for node in parsed(path).body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple | ast.List)
        if any(isinstance(target, ast.Tuple | ast.List) for target in node.targets)
    ]
    assert not several, "write one constant a line, with its unit and its reason"


def test_a_function_is_short_and_takes_little_or_says_why_not() -> None:
    large = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {node.name}"
        for path in written()
        for text in [path.read_text("utf-8")]
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if _is_large(node) and not _has_comment(node, text.splitlines())
    ]
    assert not large, "split it, or write the reason in a comment above it"


def _is_large(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    first, decorators = function.lineno, map(ast.unparse, function.decorator_list)
    is_command = "app.command" in " ".join(decorators)
    if is_command:  # a parameter an option
        first = function.body[0].lineno
    length = function.end_lineno - first + 1
    if ast.get_docstring(function):
        length -= function.body[0].end_lineno - function.body[0].lineno + 1
    given = function.args.posonlyargs + function.args.args + function.args.kwonlyargs
    return length > MOST_LINES or (not is_command and len(given) > MOST_PARAMETERS)


def _has_comment(function: ast.FunctionDef | ast.AsyncFunctionDef, lines: list[str]) -> bool:
    """Whether a comment stands directly above a function and its decorators."""
    first = min(each.lineno for each in (function, *function.decorator_list))
    return first > 1 and lines[first - 2].lstrip().startswith("#")


def test_no_module_has_a_name_that_says_nothing() -> None:
    names = {path.stem for path in MODULES}
    assert not names & {"utils", "util", "helpers", "helper", "manager", "common", "misc"}


def test_no_check_imports_a_framework_package() -> None:
    for path in (PACKAGE / "checks").rglob("*.py"):
        text = path.read_text("utf-8")
        assert "import openenv" not in text
        assert "import verifiers" not in text


def test_frameworks_do_not_know_each_other() -> None:
    folders = [path for path in (PACKAGE / "frameworks").iterdir() if path.is_dir()]
    for folder in folders:
        for path in folder.glob("*.py"):
            others = {f"frameworks.{other.name}" for other in folders if other != folder}
            assert not [name for name in others if name in path.read_text("utf-8")]
