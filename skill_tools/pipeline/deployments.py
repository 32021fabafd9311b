"""Deployments: one variant with its domain in a separate folder, and the files for serving it with many workers."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from skill_tools.errors import RenderError
from skill_tools.files import SPEC_FILE, find_environment
from skill_tools.frameworks import rules
from skill_tools.reference.shipped import try_alone
from skill_tools.render.bundle import Bundle, write_bundle
from skill_tools.render.deployment import Scale, deployment, space_card
from skill_tools.render.writer import BUNDLED, LOCK_FILE, FileState, on_request, states, write
from skill_tools.spec.model import EnvSpec

__all__ = ["Deployment", "Scale", "bundle", "deploy"]


@dataclass(frozen=True)
class Deployment:
    """A folder with a bundle and an engine's files, the state of each file before the call, and instructions.

    ``steps`` are lines for people that explain how to start, scale, watch and stop the deployment.
    """

    folder: Path
    target: str
    files: tuple[FileState, ...]
    written: bool
    steps: tuple[str, ...]

    @property
    def changes(self) -> tuple[FileState, ...]:
        """Return the files that differ from the spec's plan, or that differed before the call."""
        return tuple(file for file in self.files if file.state != "clean")


# One parameter per option of the command.
def deploy(
    folder: Path | str,
    framework: str,
    to: str,
    output: Path | str | None = None,
    *,
    scale: Scale | None = None,
    force: bool = False,
    dry_run: bool = False,
) -> Deployment:
    """Write the bundle of a served variant, and the files that an engine needs to run many workers.

    The default folder is ``NAME_FRAMEWORK_TARGET`` next to ``folder``. A second call updates the
    folder to the current spec and ``scale``; it refuses to overwrite an edited file without
    ``force``. Raises SkillToolsError for an unknown target, for a framework without a server and for an
    invalid scale. Raises RenderError and DomainError in the same cases as ``bundle``.
    """
    folder = find_environment(folder)
    spec = rules.load(folder).with_frameworks(on_request(folder))
    files: dict[str, str | bytes] = {**deployment(spec, framework, to, scale or Scale())}
    target = _target(folder, Path(output) if output else _beside(folder, spec.name, framework, to))
    with tempfile.TemporaryDirectory(prefix="skill-tools-") as scratch:
        trial = partial(try_alone, spec, folder)
        made = write_bundle(spec, folder, framework, Path(scratch) / BUNDLED, try_out=trial)
        bundled = {f"{BUNDLED}/{path}": (made.folder / path).read_bytes() for path in made.files}
    if to == "spaces":
        card = bundled[f"{BUNDLED}/README.md"].decode()
        files[f"{BUNDLED}/README.md"] = space_card(spec, framework, card)
    plan = {**bundled, **files}
    before = states(target, plan) if dry_run else _write(target, spec, plan, force)
    steps = tuple(str(files["README.md"]).split("```text\n")[1].split("```")[0].splitlines())
    return Deployment(target, to, tuple(before), not dry_run, steps)


def _beside(folder: Path, *names: str) -> Path:
    return folder.parent / "_".join(names)


def _target(folder: Path, output: Path) -> Path:
    """Return the absolute output path. Raises RenderError if the path is inside an environment or has other files."""
    target = output.expanduser().resolve()
    if target.is_relative_to(folder) or (target / SPEC_FILE).exists():
        fix = "name a folder outside the environment with --output"
        raise RenderError(f"{target} is inside an environment\n    fix: {fix}")
    ours = (target / LOCK_FILE).is_file() and (target / BUNDLED).is_dir()
    if target.exists() and not ours and (not target.is_dir() or any(target.iterdir())):
        raise RenderError(f"{target} is not empty\n    fix: name a new folder with --output")
    return target


def _write(
    target: Path, spec: EnvSpec, plan: dict[str, str | bytes], force: bool
) -> list[FileState]:
    """Update a folder to match a plan; a new folder is written completely or not at all."""
    if target.exists():
        return write(target, spec, plan, force=force)
    try:
        there = next(parent for parent in target.parents if parent.is_dir())
        with tempfile.TemporaryDirectory(prefix=".deploy-", dir=there) as scratch:
            staged = Path(scratch) / target.name
            staged.mkdir()
            before = write(staged, spec, plan)
            target.parent.mkdir(parents=True, exist_ok=True)
            staged.rename(target)
    except OSError as error:
        raise RenderError(f"cannot write {target}: {error.strerror or error}") from error
    return before


def bundle(folder: Path | str, framework: str, output: Path | str | None = None) -> Bundle:
    """Write one variant with its domain to a separate folder, by default next to ``folder``.

    Raises RenderError if the variant differs from the files that env.yaml renders to, or if the target exists.
    Raises DomainError if the domain does not work without the unpublished files.
    """
    folder = find_environment(folder)
    spec = rules.load(folder).with_frameworks(on_request(folder))
    trial = partial(try_alone, spec, folder)
    return write_bundle(spec, folder, framework, Path(output) if output else None, try_out=trial)
