"""Bundling: one variant and the domain in one folder, which the framework's own tools publish.

The variant's files are planned again for a spec that is ``Bundled``: templates that ask for
``spec.bundled`` say there what differs. The domain's files are copied below the package's name.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from skill_tools.domain import Job, one, play_job
from skill_tools.errors import DomainError, RenderError
from skill_tools.frameworks import FRAMEWORKS, Framework, known
from skill_tools.loading import load
from skill_tools.render import plan
from skill_tools.rollout import SHARED_REQUIREMENTS
from skill_tools.spec import TASK_FILES, EnvSpec
from skill_tools.writing import LOCK_FILE, states

SHARED_MODULES = ("episode.py", "play.py")
NEVER = (LOCK_FILE, "*.orig", "*.orig[0-9]*", "*.pyc")
"""Names of files that stay behind even if a pattern of ``include`` matches them."""
NEVER_BELOW = frozenset({*FRAMEWORKS, "runs"})
"""Folders of an environment of which nothing is copied."""


class Bundled(EnvSpec):
    """A spec whose variants have the domain in their own folder instead of depending on it."""

    @property
    def bundled(self) -> list[str]:
        """What the domain and the shared modules need, for the variant to require itself."""
        return [*SHARED_REQUIREMENTS, *self.packages]


@dataclass(frozen=True)
class Bundle:
    """A folder that stands alone, what is in it, and how it gets published."""

    folder: Path
    files: tuple[str, ...]
    publish: str


def bundle(folder: Path, framework: str, output: Path | None = None) -> Bundle:
    """Write a variant with its domain to a new or empty folder; by default beside ``folder``.

    All or nothing. Raises RenderError when the variant is not what its spec renders to, when a
    file leads out of the environment or the output is in the way; DomainError when the domain
    does not work without what stays behind.
    """
    (chosen,) = known([framework])
    spec = load(folder)
    folder = folder.resolve()
    _refuse_unclean(folder, spec, chosen)
    copied = dict(_domain_files(folder, spec))
    target = _target(folder, spec, output or folder.parent / f"{spec.name}_{chosen.name}")
    written = _variant(spec, chosen)
    try:
        there = next(parent for parent in target.parents if parent.is_dir())
        with tempfile.TemporaryDirectory(prefix=".bundle-", dir=there) as scratch:
            staged = Path(scratch) / target.name
            _write(staged, written, {f"{spec.package}/{k}": v for k, v in copied.items()})
            _try_out(spec, staged / spec.package)
            target.parent.mkdir(parents=True, exist_ok=True)
            staged.rename(target)
    except OSError as error:
        raise RenderError(f"cannot write {target}: {error.strerror or error}") from error
    files = sorted(path.relative_to(target).as_posix() for path in _files(target))
    return Bundle(target, tuple(files), chosen.publish)


def _refuse_unclean(folder: Path, spec: EnvSpec, framework: Framework) -> None:
    """What is published is what was checked: the files that `skill-tools validate` plays."""
    names = list(dict.fromkeys([*spec.frameworks, framework.name]))
    found = [
        f"{item.state}: {item.path}"
        for item in states(folder, plan(spec, names))
        if item.state != "clean"
        and (item.path in SHARED_MODULES or item.path.startswith(f"{framework.name}/"))
    ]
    if found:
        raise RenderError(
            f"{folder} is not what env.yaml renders to:\n    "
            + "\n    ".join(found)
            + f"\n    fix: `skill-tools render {folder}`, then validate; edits belong in the domain"
        )


def _variant(spec: EnvSpec, framework: Framework) -> dict[str, str]:
    """The text of every rendered file of a bundle, by path."""
    planned = plan(Bundled.model_validate(spec.model_dump()), [framework.name])
    own = f"{framework.name}/"
    files = {p.removeprefix(own): text for p, text in planned.items() if p.startswith(own)}
    files = {p: text for p, text in files.items() if p not in framework.not_bundled}
    shared = {f"{spec.package}/{name}": planned[name] for name in SHARED_MODULES}
    return {**files, **framework.only_bundled(spec), **shared}


def _domain_files(folder: Path, spec: EnvSpec) -> Iterator[tuple[str, Path]]:
    """The author's files to publish, as (path in the package, where it is)."""
    oracle = spec.oracle.partition(":")[0] + ".py"
    for named in spec.domain_files:
        if _is_oracle(folder, named, oracle):
            fix = "give the oracle a module of its own, which nothing published names"
            raise RenderError(f"{named} is the oracle, which is never published\n    fix: {fix}")
        found = [path for path in _matches(folder, named) if path.name not in SHARED_MODULES]
        wanted = [path for path in found if _wanted(folder, path, oracle)]
        if not wanted:
            fix = "correct `include`, `tasks` or `domain` in env.yaml"
            raise RenderError(f"env.yaml names {named}, which is not there\n    fix: {fix}")
        for path in wanted:
            yield path.relative_to(folder).as_posix(), path


def _is_oracle(folder: Path, named: str, oracle: str) -> bool:
    return PurePosixPath(named) == PurePosixPath(oracle) or (
        (folder / named).is_file() and (folder / named).resolve() == (folder / oracle).resolve()
    )


def _matches(folder: Path, named: str) -> list[Path]:
    exact = folder / named
    if exact.is_dir():
        return list(_files(exact, folder))
    if exact.exists() or exact.is_symlink():
        return [_inside(folder, exact)]
    pattern = named.replace("{split}", "*") if named.endswith(TASK_FILES) else named
    return [_inside(folder, path) for path in sorted(folder.glob(pattern)) if not path.is_dir()]


def _files(start: Path, root: Path | None = None) -> Iterator[Path]:
    """Every file below a folder; links to folders are refused, since they could go in circles."""
    root = root or start
    for path in sorted(_inside(root, start).iterdir()):
        if path.is_dir() and path.is_symlink():
            raise RenderError(
                f"{path} is a link to a folder\n    fix: name that folder in `include`"
            )
        if path.is_dir():
            yield from _files(path, root)
        else:
            yield _inside(root, path)


def _inside(folder: Path, path: Path) -> Path:
    """The path itself; raises RenderError if it is, or lies behind, a link out of the folder."""
    if not path.resolve().is_relative_to(folder):
        fix = "put the file itself there; what lies outside is not published"
        raise RenderError(f"{path} is a link out of {folder}\n    fix: {fix}")
    if not path.exists():
        raise RenderError(f"{path} is a link to nothing\n    fix: remove or repair it")
    return path


def _wanted(folder: Path, path: Path, oracle: str) -> bool:
    """Whether neither the path nor what it links to is among what stays behind."""
    for place in (path, path.resolve()):
        relative = place.relative_to(folder)
        hidden = any(part.startswith((".", "__")) for part in relative.parts[:-1])
        if hidden or relative.parts[0] in NEVER_BELOW or relative == Path(oracle):
            return False
        if any(relative.match(pattern) for pattern in NEVER):
            return False
    return True


def _target(folder: Path, spec: EnvSpec, output: Path) -> Path:
    """Where to write, absolute; raises RenderError if something is or should be there."""
    target = output.expanduser().resolve()
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise RenderError(f"{target} is not empty\n    fix: name a new folder with --output")
    if target.is_relative_to(folder):
        taken = NEVER_BELOW | {Path(named).parts[0] for named in spec.domain_files}
        if target.relative_to(folder).parts[0] in taken:
            fix = "name a folder outside of the environment with --output"
            raise RenderError(f"{target} is among the environment's own files\n    fix: {fix}")
    return target


def _write(folder: Path, written: Mapping[str, str], copied: Mapping[str, Path]) -> None:
    for path in [*written, *copied]:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
    for path, text in written.items():
        (folder / path).write_text(text, "utf-8")
    for path, source in copied.items():
        shutil.copy(source, folder / path)


def _try_out(spec: EnvSpec, package: Path) -> None:
    """Open the first episode of every split with only the bundled files at hand."""
    try:
        sizes = one(spec, package, Job("count", "reading the tasks"))
        for split in (name for name, size in sizes.items() if size):
            opening = [(split, 0, None, [])]
            one(spec, package, play_job(f"opening {split}/0", opening, spec.episode.max_turns))
    except DomainError as error:
        fix = "name every module and data file that the domain uses under `include` in env.yaml"
        raise DomainError(f"the domain does not work alone: {error}\n    fix: {fix}") from error
