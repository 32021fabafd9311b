"""Bundle one variant and the domain into one folder, for the framework's own publishing tools.

The variant's files are planned again with a ``Bundled`` spec; templates use ``spec.bundled`` for the parts
that differ in a bundle. The domain's files are copied into a folder with the package's name.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from skill_tools.errors import RenderError
from skill_tools.files import find_named
from skill_tools.frameworks import FRAMEWORKS, Framework, known
from skill_tools.render.plan import SHARED_REQUIREMENTS, plan, texts, wheels_of
from skill_tools.render.writer import LOCK_FILE, states
from skill_tools.spec.model import SHARED, VENDOR, EnvSpec

PRIVATE_FOLDERS = frozenset({*FRAMEWORKS, "runs"})
PRIVATE_FILES = (LOCK_FILE, "*.orig", "*.orig[0-9]*")
"""Files that are never copied even if a spec names them; neither are hidden files."""


class Bundled(EnvSpec):
    """A spec whose variants contain the domain instead of depending on it."""

    @property
    def bundled(self) -> list[str]:
        """The requirements of the domain and the shared modules. The variant itself must list these requirements."""
        return [*SHARED_REQUIREMENTS, *self.packages]


@dataclass(frozen=True)
class Bundle:
    """A self-contained folder, its files, and how to publish it."""

    folder: Path
    files: tuple[str, ...]
    publish: str


def write_bundle(
    spec: EnvSpec,
    folder: Path,
    framework: str,
    output: Path | None = None,
    *,
    try_out: Callable[[Path], None],
) -> Bundle:
    """Write a variant with its domain to a new or empty folder, by default next to ``folder``.

    Before the output is put in place, ``try_out`` receives the bundled domain's folder and raises an exception if
    the domain does not work. If anything fails, no output is left. Raises RenderError if the variant differs from
    the rendering of its spec, if a file is outside the environment, or if the output exists. Exceptions of
    ``try_out`` are passed on.
    """
    (chosen,) = known([framework])
    folder = folder.resolve()
    _refuse_unclean(folder, spec, chosen)
    copied = files_to_ship(folder, spec)
    target = _target(folder, spec, output or folder.parent / f"{spec.name}_{chosen.name}")
    written = _variant(spec, chosen)
    try:
        there = next(parent for parent in target.parents if parent.is_dir())
        with tempfile.TemporaryDirectory(prefix=".bundle-", dir=there) as scratch:
            staged = Path(scratch) / target.name
            _write(staged, written, {f"{spec.package}/{k}": v for k, v in copied.items()})
            try_out(staged / spec.package)
            target.parent.mkdir(parents=True, exist_ok=True)
            staged.rename(target)
    except OSError as error:
        raise RenderError(f"cannot write {target}: {error.strerror or error}") from error
    files = [path.relative_to(target) for path in target.rglob("*") if path.is_file()]
    return Bundle(target, tuple(sorted(map(Path.as_posix, files))), chosen.publish)


def _shared_modules(planned: Iterable[str]) -> list[str]:
    """Return the modules in a variant's plan that the variant and the domain both import. A bundle contains two
    copies of these modules.
    """
    return [path for path in planned if path.split("/")[0] in (SHARED, VENDOR)]


def _refuse_unclean(folder: Path, spec: EnvSpec, framework: Framework) -> None:
    """Raise RenderError if the variant's files differ from the plan, because `skill-tools validate` has not played
    the changed files.
    """
    if framework.name not in spec.frameworks:
        fix = f"`skill-tools build {folder} -f {framework.name}`, or add it to env.yaml"
        raise RenderError(f"{framework.name} is not rendered in {folder}\n    fix: {fix}")
    shared = _shared_modules(plan(spec, [framework.name]))
    found = [
        f"{item.state}: {item.path}"
        for item in states(folder, plan(spec))
        if item.state != "clean"
        and (item.path in shared or item.path.startswith(f"{framework.name}/"))
    ]
    if found:
        raise RenderError(
            f"{folder} differs from what env.yaml renders to:\n    "
            + "\n    ".join(found)
            + f"\n    fix: `skill-tools render {folder}`, then validate; edit the domain, not rendered files"
        )


def _variant(spec: EnvSpec, framework: Framework) -> dict[str, str]:
    """Return the text of every rendered file of a bundle, keyed by path."""
    planned = texts(plan(Bundled.model_validate(spec.model_dump()), [framework.name]))
    own = f"{framework.name}/"
    files = {p.removeprefix(own): text for p, text in planned.items() if p.startswith(own)}
    files = {p: text for p, text in files.items() if p not in framework.not_bundled}
    shared = {f"{spec.package}/{name}": planned[name] for name in _shared_modules(planned)}
    # Next to the domain, not in it: both import it by its own name.
    packages = tuple(f"{wheel.imported}/" for wheel in wheels_of(spec))
    beside = {path: text for path, text in planned.items() if path.startswith(packages)}
    return {**files, **shared, **beside}


def files_to_ship(folder: Path, spec: EnvSpec) -> dict[str, Path]:
    """Return the author's files to publish, keyed by path. Raises RenderError for a file that must not be published."""
    found = {}
    for named in spec.domain_files:
        paths = find_named(folder, named)
        if not paths:
            raise RenderError(
                f"the file that {named} names does not exist\n    fix: correct env.yaml"
            )
        for path in paths:
            _refuse_private(folder, path, spec)
            found[path.relative_to(folder).as_posix()] = path
    return found


def _refuse_private(folder: Path, path: Path, spec: EnvSpec) -> None:
    """Raise RenderError if a path is not part of the domain, is the oracle, or is a link that leads out of the
    folder."""
    if not path.resolve().is_relative_to(folder):
        fix = "replace the link with the file itself; files outside the folder are not published"
        raise RenderError(f"{path} is a link to a place outside {folder}\n    fix: {fix}")
    for place in (path, path.resolve()):
        relative = place.relative_to(folder)
        if relative == Path(spec.oracle.partition(":")[0] + ".py"):
            fix = "move the oracle to its own module, which no published file names"
            raise RenderError(f"{path} is the oracle, which is never published\n    fix: {fix}")
        hidden = any(part.startswith(".") for part in relative.parts)
        ours = relative.parts[0] in PRIVATE_FOLDERS or any(map(relative.match, PRIVATE_FILES))
        if hidden or ours:
            fix = "rename this file, or remove it from env.yaml"
            raise RenderError(f"{path} is not part of the domain\n    fix: {fix}")


def _target(folder: Path, spec: EnvSpec, output: Path) -> Path:
    """Return the absolute output path. Raises RenderError if the path is in use or reserved."""
    target = output.expanduser().resolve()
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise RenderError(f"{target} is not empty\n    fix: name a new folder with --output")
    if target.is_relative_to(folder):
        taken = {*PRIVATE_FOLDERS, *(Path(named).parts[0] for named in spec.domain_files)}
        if target.relative_to(folder).parts[0] in taken:
            fix = "name a folder outside the environment with --output"
            raise RenderError(f"{target} is inside the environment's folder\n    fix: {fix}")
    return target


def _write(folder: Path, written: Mapping[str, str], copied: Mapping[str, Path]) -> None:
    for path in [*written, *copied]:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
    for path, text in written.items():
        (folder / path).write_text(text, "utf-8")
    for path, source in copied.items():
        shutil.copy(source, folder / path)
