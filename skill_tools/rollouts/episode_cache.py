"""What an edit cannot have changed: episodes of an earlier build that are taken as they were.

An episode in a variant depends on the files that its process may read, on the packages in its venv,
on the task, on the script of its policy, and on our own code that plays it. Of each a hash is kept
with the evidence. An unknown file counts as one that is read.
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
from skill_tools.evidence.evidence import Evidence, Tasks
from skill_tools.evidence.origin import Origin
from skill_tools.evidence.trajectory import Played
from skill_tools.files import EXAMPLES_FILE, READINGS_FILE, SPEC_FILE
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.render.plan import plan
from skill_tools.spec.model import EnvSpec

BELIEVED = timedelta(days=1)
"""As long as a resolution of packages: programs and drivers of this machine are in no hash."""
UNREAD_FOLDERS = ("runs", "__pycache__", "*.egg-info", ".*")
"""What nothing that plays an episode reads: the first next to env.yaml, the others wherever they lie."""
UNREAD_FILES = (
    *(SPEC_FILE, EXAMPLES_FILE, READINGS_FILE),
    *("README.md", "NOTES.md", "CHANGELOG.md", "LICENSE", "NOTICE", "pyproject.toml"),
    *("uv.lock", "env.lock.json", "*.orig", "*.orig[0-9]*", ".*"),
)

Hashes = Mapping[str, str]
"""Of files, by their path in the environment's folder."""
Keys = dict[str, dict[str, str]]
"""Of episodes, by policy and label."""


def hash_files(folder: Path) -> Hashes:
    """The hash of every file of an environment that an episode might read, by its path."""
    return {path.relative_to(folder).as_posix(): _hash_file(path) for path in _files(folder)}


def _files(folder: Path) -> Iterator[Path]:
    for place, names, files in os.walk(folder):
        here = Path(place)
        left = UNREAD_FOLDERS if here == folder else UNREAD_FOLDERS[1:]
        names[:] = sorted(n for n in names if not any(map(Path(n).match, left)))
        yield from (path for path in sorted(map(here.joinpath, files)) if path.is_file())


def hash_variant(spec: EnvSpec, folder: Path, files: Hashes, framework: str, venv: str) -> str:
    """One hash of all that the episodes of a variant have in common; ``venv`` names its packages."""
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
    """The author's modules of tasks and oracle: episodes get their data, unless other code names them."""
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
    except SystemError:  # CPython counts the depths of all threads that parse together (gh-106905)
        return ast.parse(text)


def _names(path: Path, module: str) -> bool:
    """Whether a file's code may import or open a module: it is a name of it, or in a text that is no docstring."""
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
    """The key of each episode that a variant of this hash plays.

    places: of all tasks, by the labels of their episodes; those that ``tasks`` lacks are not played.
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
    """The policies of which every episode has been played, of the same key and with a score; and their origins."""
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
    except OSError:  # who may not read it here may not where episodes are played
        return ""


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _hash_of(*parts: object) -> str:
    return _hash(json.dumps(parts, sort_keys=True, default=repr).encode("utf-8", "replace"))


@functools.cache
def _own_code() -> str:
    """Of this package: who fixes how episodes are played plays them again."""
    root = Path(__file__).parents[1]
    return _hash_of([_hash(path.read_bytes()) for path in sorted(root.rglob("*.py"))])
