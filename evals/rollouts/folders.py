"""Find the variants in a folder by the content of their files, whatever the layout of the folder is."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SKIPPED = {
    ".venv", "venv", "runs", "node_modules", "__pycache__", "site-packages", "tests", "_shared",
    ".git", ".agents", ".claude", ".codex", ".gemini", ".opencode", "skills",
}  # fmt: skip
SIGNS = {
    "ors": (r"\bopenreward\b", r"class \w+\([^)]*\bEnvironment\b"),
    "nemo_gym": (
        r"\b(nemo_gym|resources_servers)\b",
        r"class \w+\([^)]*(ResourcesServer|GymnasiumServer)\b",
    ),
    "verifiers": (r"\bverifiers\b", r"class \w+\([^)]*\b(Taskset|Environment|\w*Env)\b"),
    "skyrl_gym": (r"\bskyrl_gym\b", r"class \w+\([^)]*\bBaseTextEnv\b"),
    "gem": (r"^\s*(import gem|from gem)\b", r"class \w+\([^)]*\bEnv\b"),
}
"""Signs of the file with a framework's environment: an import of the framework, and a subclass of its base class."""


@dataclass(frozen=True)
class Found:
    """A variant on disk: the file with its environment, and the project that declares its dependencies."""

    framework: str
    file: Path
    project: Path

    @property
    def folder(self) -> Path:
        """The folder in which the variant's commands run."""
        return self.file.parent


def find(root: Path) -> dict[str, Found]:
    """Return the variants below a folder, by framework. Of several files, choose the file nearest its usual place."""
    manifests = [path for path in files(root) if path.name == "openenv.yaml"]
    found = {"openenv": manifests} if manifests else {}
    for path in files(root):
        if path.suffix == ".py":
            text = path.read_text("utf-8", errors="replace")
            for framework, signs in SIGNS.items():
                if all(re.search(sign, text, re.MULTILINE) for sign in signs):
                    found.setdefault(framework, []).append(path)

    def distance(framework: str, path: Path) -> tuple[bool, int, str]:
        parts = path.relative_to(root).parts
        return framework not in parts, len(parts), str(path)

    nearest = {
        framework: min(paths, key=functools.partial(distance, framework))
        for framework, paths in found.items()
    }
    return {
        framework: Found(framework, path, _project(path, root))
        for framework, path in nearest.items()
    }


def files(root: Path) -> Iterator[Path]:
    """Yield every file that somebody wrote, without the files that tools and clients leave behind."""
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        if not SKIPPED & set(parts) and not path.is_symlink() and path.is_file():
            yield path


def _project(path: Path, root: Path) -> Path:
    """Return the nearest folder above a file in which a project declares its requirements."""
    folder = path.parent
    while folder != root:
        if (folder / "pyproject.toml").is_file() or (folder / "requirements.txt").is_file():
            return folder
        folder = folder.parent
    return root
