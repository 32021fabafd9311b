"""Try a bundled domain without the files that the bundle leaves out."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from skill_tools.errors import DomainError, RenderError
from skill_tools.evidence.evidence import lead
from skill_tools.evidence.trajectory import Played
from skill_tools.reference.playbook import Playbook
from skill_tools.reference.process import Query, ask, one, play_job
from skill_tools.render.bundle import files_to_ship
from skill_tools.spec.model import EnvSpec

MOST = 3
"""Maximum solutions to play."""
OPENED = 12
"""Maximum tasks in a split to open: each may read its own file, though most read the same one."""
SECONDS = 5.0
"""CPU and wall-clock seconds for opening them."""


def play_shipped(spec: EnvSpec, folder: Path, playbook: Playbook, reference: Played) -> str:
    """Play the oracle with only the bundled files. Return the failure, or "" if all returns are the same as before."""
    split, leading = playbook.tasks.split, lead(playbook.scripts)
    solved = [
        (key, playbook.places[key], script)
        for key, script in playbook.scripts[leading].items()
        if reference[leading][key].total is not None
    ][: 1 if spec.display else MOST]
    job = play_job(
        f"playing the {leading}'s episodes with only the files in a bundle",
        [(split, index, None, script) for _, index, script in solved],
        spec.episode.max_turns,
    )
    try:
        with tempfile.TemporaryDirectory(prefix="skill-tools-") as scratch:
            for path, source in files_to_ship(folder.resolve(), spec).items():
                (Path(scratch) / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, Path(scratch) / path)
            # From another folder: a server does not have paths relative to this one.
            jobs = [job, _opening(spec)]
            played, opened = ask(
                spec, Path(scratch), jobs, cwd=Path(scratch).parent, stand_ins=folder
            )
            if wrong := played.error or opened.error:
                raise DomainError(f"{job.what} failed: {wrong}")
    except (DomainError, RenderError) as error:
        return str(error)
    for (key, _, _), record in zip(solved, played.value, strict=True):
        if record.total != reference[leading][key].total:
            here = reference[leading][key].total
            return f"{key}: the {leading} earns {record.total}, and {here} here"
    if opened.value and not one(spec, folder, _opening(spec)):
        split, place, why = opened.value[0]
        return f"{split}/{place} cannot be opened with only the files in a bundle: {why}"
    return ""


def _opening(spec: EnvSpec) -> Query:
    """Return the query that opens several tasks of each split to find tasks that cannot be opened."""
    limit = {"max_turns": spec.episode.max_turns, "limit": {"seconds": SECONDS, "wall": SECONDS}}
    most = 1 if spec.display else OPENED
    return Query("open_various", "opening tasks of every split", {"most": most, **limit})


def try_alone(spec: EnvSpec, folder: Path, package: Path) -> None:
    """Open episodes with only the files of ``package``. Raises DomainError if this fails."""
    try:
        _open_episodes(spec, package, stand_ins=folder)
    except DomainError as error:
        _open_episodes(spec, folder)  # raises too, unless missing files are the cause
        fix = "name every module and data file that the domain uses under `include` in env.yaml"
        raise DomainError(
            f"the domain does not work without files that are not published: {error}\n    fix: {fix}"
        ) from error


def _open_episodes(spec: EnvSpec, folder: Path, stand_ins: Path | None = None) -> None:
    sizes: dict[str, int] = one(spec, folder, Query("count", "reading the tasks"))
    opening = [(split, 0, None, ()) for split, size in sizes.items() if size]
    job = play_job("opening the first episodes", opening, spec.episode.max_turns)
    one(spec, folder, job, stand_ins=stand_ins)
