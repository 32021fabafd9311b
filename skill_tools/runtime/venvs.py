"""Virtual environments: third-party packages shared in a cache, and a thin overlay per variant.

A *base* holds the packages to which a list of requirements resolves. Environments with the same requirements
share a base. An *overlay* sees all packages of its base and adds links to the author's folders.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout
from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from skill_tools.errors import InstallError
from skill_tools.runtime import places, supervise
from skill_tools.runtime.environment import child_environment
from skill_tools.runtime.installer import UNREACHABLE, install_error, redact, run_uv

Progress = Callable[[str], None]
DAY = 86400.0
"""Seconds for which a resolution is reused without querying the package index: one day."""
RETRY_SECONDS = 600.0
"""Seconds before retrying an unreachable index."""
WARM_SECONDS = 180.0
"""Seconds for compiling a framework's imports; the rest is compiled on use."""
# Inputs of uv's answer in addition to the requirements.
UV_CHOICE = re.compile(r"UV_(.*INDEX.*|FIND_LINKS|EXCLUDE_.*|PRERELEASE|RESOLUTION|CONSTRAINT)")


def _silent(message: str) -> None:
    """Discard a progress message."""


@dataclass(frozen=True)
class Venv:
    """A virtual environment, which is either a base or an overlay."""

    folder: Path

    @property
    def python(self) -> Path:
        """Return the Python executable that sees the packages of this venv."""
        return self.folder / "bin" / "python"


@dataclass(frozen=True)
class Base(Venv):
    """A venv with only third-party packages, which never changes after it is complete."""

    resolved: tuple[str, ...]

    @property
    def site_packages(self) -> Path:
        """Return the folder of the venv's packages."""
        return next(self.folder.glob("lib/python3.*/site-packages"))

    def versions(self, requirements: Sequence[str]) -> dict[str, str]:
        """Return the installed version of each package in ``requirements``, keyed by the package's canonical name."""
        pinned = (line.partition(";")[0].partition("==") for line in self.resolved)
        found = {canonicalize_name(name.strip()): version.strip() for name, _, version in pinned}
        names = dict.fromkeys(canonicalize_name(Requirement(each).name) for each in requirements)
        return {name: found[name] for name in names if found.get(name)}


@dataclass(frozen=True)
class Overlay(Venv):
    """A venv that sees its own links first, and then the packages of its base."""

    base: Base

    def script(self, name: str) -> list[str]:
        """Return the command line for the base's command ``name``. Raise InstallError if the base has no such
        command."""
        path = self.folder / "bin" / name
        if path.is_file():
            return [str(path)]
        raise InstallError(f"no installed distribution has a command {name} ({path})")


def base(
    requirements: Sequence[str],
    python: Path,
    warm_imports: Sequence[str] = (),
    progress: Progress = _silent,
    *,
    without: Sequence[str] = (),
) -> Base:
    """Return the venv with ``requirements`` for ``python``. The first call creates it.

    Versions are resolved once a day; within that day no command runs and the network is not used.
    ``warm_imports`` are imported once to create their bytecode. ``without`` names packages to leave out although
    another package requires them. If several processes call this at once, one process creates the venv and the
    others wait. Raises InstallError if the packages cannot be resolved or installed.
    """
    python = python.resolve()
    resolved = _resolve(requirements, without, python, progress)
    key = _hash(resolved, _identity(python))
    made = Base(cache_folder() / "venvs" / key, resolved)
    with _locked(key, progress):
        if not (made.folder / "complete").exists():
            _create(made, python, warm_imports, progress)
        (made.folder / "used").touch()
    return made


def overlay(base: Base, name: str, links: Mapping[str, Path]) -> Overlay:
    """Return a venv over ``base`` in which each name in ``links`` is imported from the linked folder.

    ``name`` only makes the venv's folder recognizable. Equal arguments give the same overlay. The overlay appears
    atomically, so several processes may call this at once.
    """
    targets = {link: os.path.abspath(path) for link, path in sorted(links.items())}  # noqa: PTH100
    key = _hash(str(base.folder), targets, "with scripts")
    made = Overlay(cache_folder() / "overlays" / f"{name}-{key}", base)
    with _locked(key):
        if not _intact(made, targets):
            made.folder.parent.mkdir(parents=True, exist_ok=True)
            new = Path(tempfile.mkdtemp(prefix="new-", dir=made.folder.parent))
            _write_overlay(new, made.folder, base, targets)
            _remove(made.folder)
            new.rename(made.folder)
        (made.folder / "used").touch()
    (base.folder / "used").touch()
    return made


def prune(days: float = 30) -> list[Path]:
    """Remove venvs that were not used for ``days``, and return their folders."""
    old = time.time() - days * DAY
    removed = []
    for folder in [*cache_folder().glob("overlays/*"), *cache_folder().glob("venvs/*")]:
        # Names end in the key that users lock, so a venv that is being made or used is left alone.
        with suppress(Timeout), _locked(folder.name.rpartition("-")[2], None):
            used = folder / "used"
            if (used if used.exists() else folder).stat().st_mtime < old:
                _remove(folder)
                removed.append(folder)
    for memory in cache_folder().glob("resolutions/*"):
        if memory.stat().st_mtime < old:
            memory.unlink(missing_ok=True)
    return removed


def cache_folder() -> Path:
    """Return the cache folder: SKILL_TOOLS_CACHE, or a folder in the user's cache; see ``places``."""
    return places.place("cache")


@contextmanager
def _locked(key: str, progress: Progress | None = _silent) -> Iterator[None]:
    """Hold the lock of one key. If the lock is taken, wait for it, or raise Timeout if ``progress`` is None."""
    # The file is never removed: one process might wait for the removed file, others for its successor.
    path = cache_folder() / "locks" / key
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        if progress is None:
            raise
        progress("waiting for another process that is installing the same packages")
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def _resolve(
    requirements: Sequence[str], without: Sequence[str], python: Path, progress: Progress
) -> tuple[str, ...]:
    """Return the exact versions of all packages that ``requirements`` need. The result is cached for a day."""
    try:  # also keeps out options for uv
        wanted = sorted({str(Requirement(requirement)) for requirement in requirements})
    except InvalidRequirement as error:
        raise InstallError(f"not a requirement: {error}") from error
    choices = {name: value for name, value in os.environ.items() if UV_CHOICE.fullmatch(name)}
    key = _hash(wanted, sorted(without), _identity(python), choices)
    memory = cache_folder() / "resolutions" / key
    with _locked(key, progress):
        known = tuple(memory.read_text().splitlines()) if memory.exists() else None
        if known is not None and time.time() - memory.stat().st_mtime < DAY:
            return known
        what = f"{', '.join(wanted)} for {python.name}"
        progress(f"resolving {redact(what)}")
        asked, never, answer = (memory.with_suffix(end) for end in (".in", ".without", ".out"))
        memory.parent.mkdir(exist_ok=True)
        asked.write_text("\n".join(wanted))
        never.write_text("\n".join(f"{name}; python_version < '3'" for name in without))
        answer.unlink(missing_ok=True)  # uv would keep the versions in it
        options: list[str | Path] = ["--quiet", "--no-header", "--no-annotate"]
        options += ["--override", never, "--output-file", answer]
        failure = run_uv(["pip", "compile", asked, "--python", python, *options])
        if not failure:
            answer.replace(memory)
            return tuple(memory.read_text().splitlines())
    if known is None or not UNREACHABLE.search(failure):
        raise install_error(f"cannot resolve {what}", failure)
    progress("the package index cannot be reached: using the versions resolved last time")
    os.utime(memory, (time.time() - DAY + RETRY_SECONDS,) * 2)
    return known


def _create(made: Base, python: Path, warm_imports: Sequence[str], progress: Progress) -> None:
    """Install all packages. The file ``complete`` is written last, so that an interrupted installation is repeated."""
    _remove(made.folder)
    made.folder.parent.mkdir(parents=True, exist_ok=True)
    progress(f"installing {len(made.resolved)} packages")
    failure = run_uv(["venv", "--quiet", "--no-project", "--python", python, made.folder])
    if not failure:
        listed = made.folder / "resolved.txt"
        listed.write_text("\n".join(made.resolved))
        options: list[str | Path] = ["--quiet", "--no-deps", "--python", made.python, "-r", listed]
        failure = run_uv(["pip", "install", *options])
    if failure:
        raise install_error(f"cannot install {len(made.resolved)} packages", failure)
    if warm_imports:
        progress(f"compiling {', '.join(warm_imports)}")
        warm: list[str | Path] = [
            made.python,
            "-I",
            Path(__file__).with_name("warm.py"),
            *warm_imports,
        ]
        env, log = child_environment({}), made.folder / "warm.log"
        supervise.run(warm, cwd=made.folder, env=env, timeout=WARM_SECONDS, log=log)
    (made.folder / "complete").touch()


def _write_overlay(folder: Path, final: Path, base: Base, targets: Mapping[str, str]) -> None:
    """Write an overlay with the base's interpreter. It imports from the links first, and then from the base."""
    site_packages = folder / base.site_packages.relative_to(base.folder)
    site_packages.mkdir(parents=True)
    (folder / "bin").mkdir()
    executable = (base.folder / "bin" / "python").readlink()
    for name in ("python", "python3", site_packages.parent.name):
        (folder / "bin" / name).symlink_to(executable)
    shutil.copy(base.folder / "pyvenv.cfg", folder / "pyvenv.cfg")
    line = f"import site; site.addsitedir({json.dumps(str(base.site_packages))})\n"
    (site_packages / "_base.pth").write_text(line)
    _write_scripts(folder, final, base)
    for link, target in targets.items():
        (site_packages / link).symlink_to(target, target_is_directory=True)


def _write_scripts(folder: Path, final: Path, base: Base) -> None:
    """Copy the base's commands, and replace the path of the base by the path of the overlay."""
    for script in (base.folder / "bin").iterdir():
        copy = folder / "bin" / script.name
        if copy.is_symlink() or not script.is_file():
            continue
        content = script.read_bytes()
        if content.startswith(b"\x7fELF"):
            copy.symlink_to(script)
        else:
            copy.write_bytes(content.replace(bytes(base.folder), bytes(final)))
            copy.chmod(script.stat().st_mode)


def _intact(made: Overlay, targets: Mapping[str, str]) -> bool:
    links = (path for path in made.folder.glob("lib/*/site-packages/*") if path.is_symlink())
    return made.python.exists() and targets == {path.name: os.readlink(path) for path in links}  # noqa: PTH115


def _remove(folder: Path) -> None:
    """Remove a folder. For other processes, the whole folder disappears at once."""
    if folder.exists():
        doomed = Path(tempfile.mkdtemp(prefix="old-", dir=folder.parent))
        folder.rename(doomed / "it")
        shutil.rmtree(doomed, ignore_errors=True)


def _identity(python: Path) -> str:
    """Return an identifier of the interpreter without running it.

    A new version at the same path has another size or date, and so another identifier.
    """
    return f"{python} {python.stat().st_size} {python.stat().st_mtime_ns}"


def _hash(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]
