"""The original of an import, which is started, discovered, copied to the new folder, and played there."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from skill_tools.audit.audit import as_lines
from skill_tools.audit.driver import DRIVERS, WORKER, DriverSession
from skill_tools.audit.grading.answers import grade_in_audit
from skill_tools.audit.project import with_imports
from skill_tools.audit.scripts import Call
from skill_tools.audit.sessions import reach
from skill_tools.audit.solutions import Place, match_solutions, read_solutions, solved_in_rows
from skill_tools.audit.target import FUNCTION, Target
from skill_tools.errors import SkillToolsError
from skill_tools.frameworks import PLAYABLE
from skill_tools.ports.options import ImportOptions
from skill_tools.runtime.progress import Progress

FOLDER = "original"
"""The folder of an imported environment that holds the original."""
FACTS_FILE = "original.json"
LARGEST = 200 << 20
"""Maximum bytes of a folder to copy."""
LEFT = shutil.ignore_patterns(
    ".*", "__pycache__", "*.pyc", "node_modules", "venv", "*.egg-info", "outputs", "runs"
)
"""Files of a project that no environment needs in order to be played."""
GRADING_SECONDS = 120.0
"""Seconds for finding the replies that earn the reward in rows of questions."""
PLACES_LEFT = ("places", "prompt", "samples", "facts", "splits")
"""Fields of a discovery that a driver does not read again."""


@dataclass(frozen=True)
class Discovered:
    """An original, with the facts from its driver and its data.

    Attributes:
        found: The result of the driver's discovery.
        solved: The calls that solve a place, by split, index and seed.
        packages: The exact packages in the original's venv.
        python, interpreter: The version of its interpreter, and its path on this machine.
    """

    target: Target
    found: Mapping[str, Any]
    solved: Mapping[tuple[Any, ...], list[Call]]
    packages: tuple[str, ...]
    python: str
    interpreter: Path


def discover(target: Target, asked: ImportOptions, progress: Progress) -> Discovered:
    """Start a target and read the facts that it reports about itself.

    Raises SkillToolsError, with the reason, if the target cannot be played.
    """
    say = partial(progress, target.framework.name)
    solutions = read_solutions(asked.solutions) if asked.solutions else {}
    with reach(
        target, count=asked.num_tasks, call_seconds=asked.call_seconds, progress=progress, say=say
    ) as driven:
        venv, found = driven.venv, driven.found or {}
        solved = _solutions(driven, solutions)
    version = ".".join(_run_version(venv.python))
    return Discovered(target, found, solved, venv.base.resolved, version, venv.python.resolve())


def _solutions(
    driven: DriverSession, given: Mapping[Place, list[Call]]
) -> dict[tuple[Any, ...], list[Call]]:
    """Return the calls that solve tasks: the given calls, or otherwise calls derived from the rows."""
    found = driven.found or {}
    matched = match_solutions(given, found)
    if matched:
        return matched
    driven.say("looking for solutions in the rows")
    _, graded = grade_in_audit(driven, {}, GRADING_SECONDS, 1.0)
    if graded or found.get("in_text"):
        return dict(graded)
    return dict(solved_in_rows(driven))


def _run_version(python: Path) -> tuple[str, str]:
    """Return the major and minor version of a venv's interpreter."""
    name = next(python.parent.parent.glob("lib/python3.*")).name
    major, minor = name.removeprefix("python").split(".")
    return major, minor


def keep_original(folder: Path, seen: Discovered, asked: ImportOptions, client: str) -> None:
    """Write the original and its driver into a folder. Raises SkillToolsError if the original is too large."""
    here = folder / FOLDER
    target = seen.target
    (here / "host").mkdir(parents=True)
    for name, file in driver_modules(target).items():
        _copy(file, here / "host" / name)
    links, inside = _copy_source(here, target)
    rows = None
    if target.tasks:
        with as_lines(target) as lines:
            if lines.tasks:
                shutil.copyfile(lines.tasks, here / "rows.jsonl")
                rows = "rows.jsonl"
    indices = [each["index"] or 0 for each in seen.found["places"]]
    request = {
        "url": target.url,
        "served": target.served,
        "found": {k: v for k, v in seen.found.items() if k not in PLACES_LEFT},
        "count": max(indices, default=0) + 1,
        "call_seconds": asked.call_seconds,
        "id": target.id,
        "app": target.app,
        "folder": inside,
        "package": next(iter(target.links), ""),
        "imports": list(target.imports),
        "tasks": rows,
        "config": dict(target.arguments),
    }
    facts = {
        "framework": target.framework.name,
        "target": target.url or target.id or target.name,
        "packages": list(seen.packages),
        "python": seen.python,
        "interpreter": str(seen.interpreter),
        "paths": list(dict.fromkeys(["source", inside or "source", *map(_parent, links.values())])),
        "links": links,
        "most_sessions": None,
        "environment": target.framework.environment,
        "request": request,
    }
    (here / FACTS_FILE).write_text(json.dumps(facts, indent=2) + "\n", "utf-8")
    (here / "client.py").write_text(client, "utf-8")


def limit_sessions(folder: Path, most: int) -> None:
    """Record the maximum number of sessions in one process of the original."""
    file = folder / FOLDER / FACTS_FILE
    facts = json.loads(file.read_text("utf-8"))
    file.write_text(json.dumps({**facts, "most_sessions": most}, indent=2) + "\n", "utf-8")


def driver_modules(target: Target) -> dict[str, Path]:
    """Return the files of a framework's driver, by name: the script, and the modules that the script imports."""
    return with_imports(
        target.framework.folder / "driver.py", DRIVERS, WORKER, target.framework.folder
    )


def _copy_source(here: Path, target: Target) -> tuple[dict[str, str], str]:
    """Copy the target's code.

    Return the packages to import by name, and the place of the code, both relative to ``here``.
    """
    if target.folder is None:
        place = ""
    else:
        name = re.sub(r"\W", "_", target.folder.name)
        name = next((link for link, path in target.links.items() if path == target.folder), name)
        within = f"{target.framework.in_folder.within}/" if target.root else ""
        place = f"source/{within}{name}"
        if function := FUNCTION.fullmatch(target.id or ""):  # its folder may hold anything
            script = target.folder / function[1]
            for each, path in with_imports(script, target.folder).items():
                _copy(path, here / place / each)
        else:
            _copy(target.folder, here / place)
    links: dict[str, str] = {}
    for link, path in target.links.items():
        if target.folder and path.is_relative_to(target.folder):
            inside = path.relative_to(target.folder).as_posix()
            links[link] = place if inside == "." else f"{place}/{inside}"
        else:
            links[link] = f"source/{link}"
            _copy(path, here / links[link])
    return links, place


def _parent(place: str) -> str:
    return place.rpartition("/")[0]


def _copy(path: Path, to: Path) -> None:
    """Copy a file or a folder. Raises SkillToolsError if the file or folder is too large."""
    size = sum(each.stat().st_size for each in path.rglob("*") if each.is_file())
    if size > LARGEST:
        raise SkillToolsError(
            f"{path} has {size >> 20} MB, but an import copies at most {LARGEST >> 20} MB\n"
            "    fix: name the environment's own folder, or move its outputs and models elsewhere"
        )
    if path.is_dir():
        shutil.copytree(path, to, ignore=LEFT, symlinks=False)
    else:
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, to)


def original_of(folder: Path) -> Target:
    """Return the original in an imported environment's folder, as a target.

    Raises SkillToolsError for any other folder.
    """
    here = folder / FOLDER
    try:
        facts = json.loads((here / FACTS_FILE).read_text("utf-8"))
        request = facts["request"]
        framework = PLAYABLE[facts["framework"]]
    except (OSError, ValueError, KeyError) as error:
        raise SkillToolsError(
            f"{folder} has no original: {here / FACTS_FILE} cannot be read ({error})\n"
            "    fix: name the original as the second target"
        ) from error
    place = here / request["folder"] if request["folder"] else None
    links = {name: here / path for name, path in facts["links"].items()}
    return Target(
        facts["target"],
        replace(framework, python=f"=={facts['python']}.*"),
        url=request["url"],
        folder=place,
        id=request["id"],
        app=request["app"],
        links=links,
        imports=tuple(request["imports"]),
        requirements=tuple(facts["packages"]),
        root=here / "source" if place and len(Path(request["folder"]).parts) > 2 else None,
        tasks=here / request["tasks"] if request["tasks"] else None,
        arguments=request["config"],
    )
