"""Examples to learn from: starters, reference environments, and the solution of a case.

In a clone, they are in the repository; in an installed wheel, they are inside the package.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from skill_tools.errors import SkillToolsError, nearest

_PACKAGE = Path(__file__).resolve().parents[1]
_PACKED = _PACKAGE / "_exemplars"
_LOCK = "env.lock.json"
_SKIPPED = frozenset({_LOCK, "runs", "__pycache__"})
_STARTER_NAME = "my_env"
_SHOWN = "connect_four"
"""The only evaluation case whose solution serves as an example; agents are graded on the others."""
SCHEMA = _PACKAGE / "env.schema.json"
"""The JSON Schema of env.yaml."""


@dataclass(frozen=True)
class Exemplar:
    """A finished environment to read, or the starter of an archetype.

    Attributes:
        files: The text of each file, keyed by path, with the author's files first.
        rendered: The paths of the files rendered from env.yaml.
    """

    name: str
    title: str
    about: str
    files: dict[str, str]
    rendered: frozenset[str] = frozenset()

    def text(self, file: str) -> str:
        """Return the text of a file. If the file does not exist, raise SkillToolsError with a list of the author's
        files.
        """
        if file not in self.files:
            names = [path for path in self.files if path not in self.rendered]
            more = f", and {len(self.rendered)} rendered ones" if self.rendered else ""
            hint = nearest(file, self.files, listing=", ".join(names) + more)
            raise SkillToolsError(f"{self.name} has no file {file!r}{hint}")
        return self.files[file]

    def summary(self, *, rendered: bool) -> dict[str, Any]:
        """Describe the exemplar and its files. If ``rendered`` is false, only count the rendered files."""
        shown = {path: text for path, text in self.files.items() if path not in self.rendered}
        shown = self.files if rendered else shown
        return {
            "name": self.name,
            "title": self.title,
            "about": self.about,
            "files": [{"path": p, "lines": len(text.splitlines())} for p, text in shown.items()],
            "rendered_files": len(self.files) - len(shown),
        }


def every() -> list[Exemplar]:
    """Return all exemplars: starters, then reference environments, then cases."""
    return list(_found().values())


def find(name: str) -> Exemplar:
    """Return an exemplar by name. If it does not exist, raise SkillToolsError with a list of the valid names."""
    found = _found()
    if name not in found:
        raise SkillToolsError(f"there is no exemplar {name!r}{nearest(name, found)}")
    return found[name]


def skills_folder() -> Path | None:
    """Return the folder with the skills of this project, or None if the skills are not installed."""
    return _first(_PACKAGE / "_skills", _PACKAGE.parent / "skills")


@cache
def _found() -> dict[str, Exemplar]:
    references = _first(_PACKED / "reference_envs", _PACKAGE.parent / "reference_envs")
    cases = _first(_PACKED / "cases", _PACKAGE.parent / "evals" / "cases")
    places = [(path.parent.name, path.parent) for path in _specs(references, "*/env.yaml")]
    places += [
        (path.parents[1].name, path.parent)
        for path in _specs(cases, f"{_SHOWN}/reference/env.yaml")
    ]
    environments = {
        name.removesuffix("_env"): _environment(name.removesuffix("_env"), folder)
        for name, folder in reversed(places)
    }
    return {**_starters(), **dict(reversed(environments.items()))}


def _specs(folder: Path | None, pattern: str) -> list[Path]:
    return sorted(folder.glob(pattern)) if folder else []


def _first(*folders: Path) -> Path | None:
    return next((folder for folder in folders if folder.is_dir()), None)


def _starters() -> dict[str, Exemplar]:
    from skill_tools import archetypes

    return {
        f"starter/{name}": Exemplar(
            f"starter/{name}",
            f"Starter: {archetype.title}",
            archetype.other_starters.get(name, archetype.when),
            archetypes.start(name, _STARTER_NAME),
        )
        for name, archetype in archetypes.STARTERS.items()
    }


def _environment(name: str, folder: Path) -> Exemplar:
    from skill_tools.frameworks.rules import load

    spec = load(folder)
    lock = folder / _LOCK
    written = json.loads(lock.read_text("utf-8"))["files"] if lock.is_file() else {}
    paths = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    texts = {
        path.relative_to(folder).as_posix(): text
        for path in sorted(paths)
        if _shown(path.relative_to(folder)) and (text := _text(path)) is not None
    }
    names = sorted(texts, key=lambda path: (path in written, path != "env.yaml", path))
    files = {path: texts[path] for path in names}
    return Exemplar(name, spec.title, spec.description, files, frozenset(written) & set(files))


def _shown(path: Path) -> bool:
    return not any(part in _SKIPPED or part.startswith(".") for part in path.parts)


def _text(path: Path) -> str | None:
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        return None
