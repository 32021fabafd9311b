"""Reuse episodes from an earlier build if an edit cannot have changed them.

An episode in a variant depends on the files that its process may read, the packages in its venv, the task,
its policy's script, and the code in skill-tools that plays it. The evidence keeps a hash of each of these
inputs. A file is ignored only if it is certain that no episode reads it.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from skill_tools import backends
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.reference_run import Tasks
from skill_tools.evidence.trajectory import Origin, Played
from skill_tools.files import ANSWERS_FILE, CLAIMS_FILE, EXAMPLES_FILE, READINGS_FILE, SPEC_FILE
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.render.plan import plan
from skill_tools.spec.model import EnvSpec

BELIEVED = timedelta(days=1)
"""Maximum age of reused episodes. An age limit is needed because no hash covers the machine's programs and drivers."""
UNREAD_FOLDERS = ("runs", "__pycache__", "*.egg-info", ".*")
"""Files that are never read while an episode is played: the first only next to env.yaml, the others anywhere."""
UNREAD_FILES = (
    *(SPEC_FILE, EXAMPLES_FILE, READINGS_FILE, CLAIMS_FILE, ANSWERS_FILE),
    *(
        "questions.md",
        "README.md",
        "NOTES.md",
        "CHANGELOG.md",
        "LICENSE",
        "NOTICE",
        "pyproject.toml",
    ),
    *("uv.lock", "env.lock.json", "*.orig", "*.orig[0-9]*", ".*"),
)

Hashes = Mapping[str, str]
"""Hashes of files, by their path in the environment's folder."""
Keys = dict[str, dict[str, str]]
"""Keys of episodes, by policy and label."""


def hash_files(folder: Path) -> Hashes:
    """Return the hash of every file of an environment that an episode might read, keyed by path."""
    return {path.relative_to(folder).as_posix(): _hash_file(path) for path in _files(folder)}


def _files(folder: Path) -> Iterator[Path]:
    for place, names, files in os.walk(folder):
        here = Path(place)
        left = UNREAD_FOLDERS if here == folder else UNREAD_FOLDERS[1:]
        names[:] = sorted(n for n in names if not any(map(Path(n).match, left)))
        yield from (path for path in sorted(map(here.joinpath, files)) if path.is_file())


def hash_variant(spec: EnvSpec, folder: Path, files: Hashes, framework: str, venv: str) -> str:
    """Return one hash of everything that a variant's episodes have in common. ``venv`` identifies the packages."""
    others = set(FRAMEWORKS) - {framework}
    of_others = set(plan(spec)) - set(plan(spec, [framework]))
    data = _given_as_data(spec, folder)

    def is_read(path: str) -> bool:
        if path in data or path in spec.domain_files:
            return path not in data
        packs = any(Path(path).match(pattern) for pattern in UNREAD_FILES)
        return not (packs or path in of_others or Path(path).parts[0] in others)

    read = {path: hashed for path, hashed in files.items() if is_read(path)}
    prefix = f"{spec.name.upper()}_"
    kept = backends.kept_variables(spec)
    told = {n: v for n, v in os.environ.items() if n.startswith(prefix) or n in kept}
    return _hash_of(_own_code(), venv, read, told)


def _given_as_data(spec: EnvSpec, folder: Path) -> list[str]:
    """Return the author's task and oracle modules that no other code mentions. Episodes receive only the data of
    these modules.
    """
    stems = [spec.oracle.partition(":")[0]]
    stems += [] if spec.tasks_in_files else [spec.tasks.partition(":")[0]]
    return [
        f"{stem}.py"
        for stem in stems
        if stem != spec.domain_module
        and not any(
            _names(folder / path, stem)
            for path in spec.domain_files
            if path.endswith(".py") and path != f"{stem}.py"
        )
    ]


def _parse(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except SystemError:  # CPython adds up the depths of all threads that parse (gh-106905)
        return ast.parse(text)


def _names(path: Path, module: str) -> bool:
    """Return whether a file's code may import or open a module.

    This is the case if a name, or a string that is not a docstring, contains the module's name.
    """
    try:
        tree = _parse(path.read_text("utf-8"))
    except (OSError, SyntaxError, ValueError):
        return True
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    word = re.compile(rf"\b{re.escape(module)}\b")
    for node in ast.walk(tree):
        said: list[str | None] = []
        if isinstance(node, ast.ImportFrom):
            said = [node.module, *(alias.name for alias in node.names)]
        elif isinstance(node, ast.Import):
            said = [alias.name for alias in node.names]
        elif isinstance(node, ast.Attribute):
            said = [node.attr]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            said = [node.value] if id(node) not in alone else []
        if any(word.search(each or "") for each in said):
            return True
    return False


def hash_episodes(
    variant: str,
    tasks: Tasks,
    places: Mapping[str, int],
    scripts: Mapping[str, Mapping[str, object]],
) -> Keys:
    """Return the cache key of each episode of the variant whose hash is ``variant``.

    Args:
        places: The index of each task, keyed by episode label. Tasks beyond the end of ``tasks`` are not played.
    """
    told = {
        label: (variant, tasks.tasks[place], tasks.bests.get(label))
        for label, place in places.items()
        if place < len(tasks.tasks)
    }
    return {
        policy: {label: _hash_of(*known, by_label.get(label)) for label, known in told.items()}
        for policy, by_label in scripts.items()
    }


def take(earlier: Evidence | None, framework: str, keys: Keys) -> tuple[Played, dict[str, Origin]]:
    """Return the episodes and origins of the policies that can be reused.

    A policy can be reused if each of its episodes exists with the same key and a score, and is not too old.
    """
    if earlier is None:
        return {}, {}
    played: Played = {}
    origins: dict[str, Origin] = {}
    there = earlier.variants.rollouts.get(framework, {})
    for policy, origin in earlier.variants.origins.get(framework, {}).items():
        wanted, found = keys.get(policy, {}), there.get(policy, {})
        age = datetime.now(UTC) - origin.at
        same = all(origin.keys.get(label) == key for label, key in wanted.items())
        scored = all(label in found and found[label].end != "failed" for label in wanted)
        if wanted and same and scored and timedelta() <= age < BELIEVED:
            played[policy] = {label: found[label] for label in wanted}
            origins[policy] = Origin(origin.at, wanted, taken=True)
    return played, origins


def _hash_file(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:16]
    except OSError:  # code that may not read it here may not read it where episodes are played
        return ""


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _hash_of(*parts: object) -> str:
    return _hash(json.dumps(parts, sort_keys=True, default=repr).encode("utf-8", "replace"))


@functools.cache
def _own_code() -> str:
    """Return a hash of this package, so that cached episodes are replayed when the code that plays them changes."""
    root = Path(__file__).parents[1]
    return _hash_of([_hash(path.read_bytes()) for path in sorted(root.rglob("*.py"))])
