"""The project in a foreign folder: its modules and its requirements."""

from __future__ import annotations

import ast
import contextlib
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet

from skill_tools.errors import SkillToolsError
from skill_tools.frameworks.framework import InFolder, Playable

LARGEST = 1 << 20
"""Maximum bytes to read from a project file in the folder; other files are read elsewhere."""
PYTHONS = range(9, 20)
"""Minor versions of Python 3 that a project may require."""
EXTRAS_LEFT_OUT = frozenset({"all", "rl", "train", "dev", "docs"})
"""Extras of a framework for training or building: gigabytes that audits do not need."""


def find_definition(folder: Path, signs: InFolder) -> Path | None:
    """Return the module in a folder that defines the function named by ``signs.defines``, or None."""
    if not signs.defines:
        return None
    begins = re.compile(rf"^(async )?def {signs.defines}\(", re.MULTILINE)
    of_names = [read_project(folder).get("name", "").replace("-", "_"), folder.name]
    files = sorted(list_sources(folder), key=lambda each: each.stem not in of_names)
    return next((file for file in files if begins.search(read_text(file))), None)


def is_of_kind(folder: Path, signs: InFolder) -> bool:
    """Return whether a folder holds an environment of this kind.

    One of the folder's modules must define the function of this kind. The module and the package must not
    contain a sign of another kind.
    """
    file = find_definition(folder, signs)
    if file is None:
        return False
    said = read_text(file) + read_text(find_package(folder) / "__init__.py")
    return not (signs.unlike and re.search(signs.unlike, said))


def list_sources(folder: Path) -> list[Path]:
    """Return the modules in a folder, and the modules of its importable package."""
    inner = sorted(find_package(folder).glob("*.py"))
    return list(dict.fromkeys([*sorted(folder.glob("*.py")), *inner]))


def names_in(path: Path) -> list[str]:
    """Return the names that a file defines, or [] if some names cannot be determined by parsing."""
    try:
        body = ast.parse(read_text(path)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    names: list[str] = []
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names += [each.asname or each.name for each in node.names]
        elif isinstance(node, ast.Assign):
            names += [each.id for each in node.targets if isinstance(each, ast.Name)]
        elif not isinstance(node, ast.Expr):  # a branch or a loop may define anything
            return []
    return [] if "*" in names else names


def find_package(folder: Path) -> Path:
    """Return the folder to import: the given folder, or the package inside the folder."""
    if (folder / "__init__.py").is_file():
        return folder
    named = read_project(folder).get("name", folder.name).replace("-", "_")
    inner = [folder / named, folder / "src" / named, *sorted(folder.glob("*/"))]
    return next((each for each in inner if (each / "__init__.py").is_file()), folder)


def with_imports(script: Path, *folders: Path) -> dict[str, Path]:
    """Return, by name, the paths of a script and of everything that the script imports from the folders."""
    found, left = {script.name: script}, [script]
    while left:
        for name in _imported(left.pop()):
            places = [folder / each for folder in folders for each in (f"{name}.py", name)]
            path = next((each for each in places if each.exists()), None)
            if path is None or path.name in found:
                continue
            found[path.name] = path
            left += sorted(path.rglob("*.py")) if path.is_dir() else [path]
    return found


def _imported(file: Path) -> list[str]:
    """Return the top-level names that a file imports, or [] if the file cannot be parsed."""
    try:
        tree = ast.parse(file.read_text("utf-8"))
    except (OSError, ValueError, SyntaxError):
        return []
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            names.append(node.module)
        elif isinstance(node, ast.Import):
            names += [each.name for each in node.names]
    return [name.partition(".")[0] for name in names]


def find_links(folder: Path, module: Path) -> dict[str, Path]:
    """Return the package ``module``, and the project's other modules that the package imports, by name."""
    if module == folder:  # what lies next to it belongs to others
        return {module.name: module}
    imported: dict[str, Path] = {}
    for file in sorted(module.glob("*.py")):
        imported |= with_imports(file, module.parent)
    # A build that names several packages may import them in ways that cannot be read.
    said = re.findall(r"[\"']([A-Za-z_]\w*)[\"']", read_text(module.parent / "pyproject.toml"))
    named = {
        name: module.parent / name for name in said if any(module.parent.glob(f"{name}/**/*.py"))
    }
    inside = {path.name for path in module.glob("*.py")}
    others = {name: path for name, path in {**imported, **named}.items() if name not in inside}
    return {module.name: module, **others}


class Required(NamedTuple):
    """The requirements of a folder.

    Attributes:
        wanted: The requirements from an index, without the framework.
        asked: The folder's version constraints on the framework.
        left_out: The requirements that no index has: paths, addresses and options of pip.
    """

    wanted: list[str]
    asked: str
    left_out: tuple[str, ...]


def find_root(folder: Path, framework: Playable) -> Path | None:
    """Return the repository root from which a folder's code imports its own modules, or None."""
    within = framework.in_folder.within
    return folder.parent.parent if within and folder.parent.name == within else None


def read_requirements(folder: Path, framework: Playable) -> Required:
    """Return a folder's requirements."""
    listed = [str(each) for each in read_project(folder).get("dependencies", [])]
    for name in ("requirements.txt", "server/requirements.txt"):
        listed += [line.split("#")[0].strip() for line in read_text(folder / name).splitlines()]
    wanted: list[str] = []
    asked: list[str] = []
    left: list[str] = []
    root = find_root(folder, framework)
    for line in filter(None, listed):
        try:
            required = Requirement(line)
        except InvalidRequirement:
            path = line.removeprefix("-e ").rpartition(" @ ")[2].strip()
            if root is None or not path.startswith(".") or (folder / path).resolve() != root:
                left.append(line)
            continue
        mine = required.name.lower().replace("_", "-") in framework.distributions
        (asked if mine else wanted).append(str(required))
    if framework.releases:
        wanted += _release(folder, framework, map(Requirement, dict.fromkeys(asked)))
    return Required(list(dict.fromkeys(wanted)), ", ".join(dict.fromkeys(asked)), tuple(left))


def read_packages(given: Iterable[str], framework: Playable) -> tuple[list[str], dict[str, Path]]:
    """Split a user's packages into requirements from an index, and folders by import name.

    A folder must be a package or contain a package. The package's own requirements are included. Raises
    SkillToolsError for any other folder or an invalid requirement.
    """
    wanted: list[str] = []
    links: dict[str, Path] = {}
    for each in given:
        folder = Path(each).expanduser()
        if not folder.is_dir():
            wanted.append(_requirement(each))
            continue
        package = find_package(folder.resolve())
        if not (package / "__init__.py").is_file():
            raise SkillToolsError(
                f"--requirement {each}: the folder has no package\n"
                "    fix: name a folder with an __init__.py, or a folder that holds a package, directly or in src"
            )
        links[package.name] = package
        wanted += read_requirements(folder.resolve(), framework).wanted
    return wanted, links


def _requirement(given: str) -> str:
    try:
        return str(Requirement(given))
    except InvalidRequirement:
        raise SkillToolsError(
            f"--requirement {given}: neither a folder nor a requirement\n"
            "    fix: write a requirement such as numpy>=2, or the path of a folder with a package"
        ) from None


def choose_python(folder: Path, framework: Playable) -> str:
    """Choose a Python version for an environment, if possible one that both project and framework accept."""
    said = str(read_project(folder).get("requires-python") or framework.python)
    with contextlib.suppress(InvalidSpecifier):
        both = SpecifierSet(framework.python) & SpecifierSet(said)
        if any(both.contains(f"3.{minor}.99") for minor in PYTHONS):
            return str(both)
    return framework.python


def _release(folder: Path, framework: Playable, asked: Iterable[Requirement]) -> list[str]:
    """Choose the framework's release from an environment's own requirements and its source code.

    A constraint is ignored and reported if it excludes every release that the driver supports.
    """
    source = "\n".join(map(read_text, list_sources(folder)))
    outdated = framework.in_folder.outdated
    bounds = [(frozenset(each.extras), each.specifier) for each in asked if not each.url]
    bounds += [(frozenset(), SpecifierSet(b)) for sign, b in outdated if re.search(sign, source)]
    left, extras, wanted = list(framework.releases), frozenset[str](), SpecifierSet()
    for more, bound in bounds:
        if kept := list(bound.filter(left, prereleases=True)):
            left, extras, wanted = kept, extras | more, wanted & bound
    named = ",".join(sorted(extras - EXTRAS_LEFT_OUT))
    if not wanted and not named:
        return []
    return [f"{framework.distribution}{f'[{named}]' if named else ''}{wanted}"]


def read_project(folder: Path) -> dict[str, Any]:
    """Return the ``project`` table of a folder's pyproject.toml, or {} if the file cannot be read."""
    try:
        project = tomllib.loads(read_text(folder / "pyproject.toml")).get("project")
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}
    return project if isinstance(project, dict) else {}


def read_text(path: Path) -> str:
    """Return the first LARGEST bytes of a file as text, or "" if the file does not exist."""
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return file.read(LARGEST).decode("utf-8", "replace")
