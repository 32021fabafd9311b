"""Rolling out a variant: its own rollout.py, in its own venv, in a process that ends with ours."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from skill_tools import backends
from skill_tools.errors import InstallError, Remedy, RolloutError, SkillToolsError
from skill_tools.frameworks import FRAMEWORKS, Framework
from skill_tools.play.trajectory import Trajectory, read
from skill_tools.render.plan import SHARED_REQUIREMENTS
from skill_tools.runtime import interpreters, supervise, venvs
from skill_tools.runtime.environment import child_environment
from skill_tools.spec.model import EnvSpec

STARTING, PER_EPISODE = 600.0, 10.0
"""Seconds that a rollout may take, and for each episode more; several are played at once."""
GRACE = 3.0
"""Seconds that a rollout has to close its worlds when it is ended early."""


def _silent(message: str) -> None:
    pass


def variant_venv(
    spec: EnvSpec,
    folder: Path,
    framework: Framework,
    *,
    requirements: Sequence[str] | None = None,
    python: str | None = None,
    progress: Callable[[str], None] = _silent,
) -> venvs.Overlay:
    """The venv of a variant, made if need be; ``requirements`` replaces the framework's own pins.

    Raises InterpreterError or InstallError, each saying what to install.
    """
    interpreter = interpreters.find(python or framework.python)
    pins = requirements or framework.requirements
    wanted = [*pins, *SHARED_REQUIREMENTS, *backends.requirements(spec)]
    base = venvs.base(
        wanted, interpreter, framework.warm_imports, progress, without=framework.without
    )
    links = {spec.package: folder}
    if (framework.templates / "{{ spec.name }}").is_dir():
        links[spec.name] = folder / framework.name / spec.name
    return venvs.overlay(base, f"{spec.name}-{framework.name}", links)


def prepare(
    spec: EnvSpec, folder: Path, names: Sequence[str], say: Callable[[str, str], None]
) -> None:
    """Make the venvs of several variants, side by side.

    Raises InstallError with every reason why one could not be made.
    """

    def one(name: str) -> str:
        say(name, "preparing the venv")
        try:
            variant_venv(spec, folder, FRAMEWORKS[name], progress=lambda what: say(name, what))
        except SkillToolsError as error:
            return f"{name}: {error}"
        return ""

    with ThreadPoolExecutor(len(names) or 1) as pool:
        reasons = [reason for reason in pool.map(one, names) if reason]
    if reasons:
        left = [name for name in names if not any(r.startswith(name) for r in reasons)]
        hint = f"\n    or build only the others: {', '.join(left)}" if left else ""
        raise InstallError("\n".join(reasons) + hint)


def roll_out(
    folder: Path,
    framework: str,
    venv: venvs.Overlay,
    *,
    models: Sequence[str],
    split: str,
    indices: tuple[int, int],
    base_url: str | None = None,
    url: str | None = None,
    seed: int | None = None,
    max_turns: int | None = None,
    concurrency: int = 16,
    timeout: float | None = None,
    environment: Mapping[str, str] | None = None,
    keep: Sequence[str] = (),
    on_line: Callable[[str], None] | None = None,
) -> list[Trajectory]:
    """Play every model on tasks ``indices`` (first, last) of a split; one trajectory each.

    Episodes that failed come back as failed trajectories. Raises RolloutError, with the end of
    the log, when the process itself broke or ran longer than ``timeout`` seconds; unless given,
    that is ten minutes, and ten seconds more for each episode.
    """
    if not (folder / framework / "rollout.py").is_file():
        raise RolloutError(
            f"{framework} is not rendered: render it first",
            remedy=Remedy("render", folder, (framework,)),
        )
    expected = len(models) * (indices[1] - indices[0] + 1)
    limit = STARTING + PER_EPISODE * expected if timeout is None else timeout
    with tempfile.TemporaryDirectory(prefix="skill-tools-") as scratch:
        output = Path(scratch) / "trajectories.jsonl"
        command = [str(venv.python), "rollout.py", "--split", split]
        command += ["--index", f"{indices[0]}-{indices[1]}", "--model", *models]
        command += ["--concurrency", str(concurrency), "--output", str(output)]
        for option, value in (
            ("--base-url", base_url),
            ("--url", url),
            ("--seed", seed),
            ("--max-turns", max_turns),
        ):
            command += [option, str(value)] if value is not None else []
        command += [] if on_line else ["--quiet"]
        # A user's own knobs of rollout.py would send this somewhere else, or end it early.
        knobs = dict.fromkeys(filter(None, ("MAX_TURNS", FRAMEWORKS[framework].url_variable)), "")
        extra = {**knobs, **FRAMEWORKS[framework].environment, **(environment or {})}
        # It says where the trajectories are: in a folder that is gone when anybody reads this.
        told = on_line and (lambda line: None if str(output) in line else on_line(line))
        outcome = supervise.run(
            command,
            cwd=folder / framework,
            env=child_environment(extra, keep=keep),
            timeout=limit,
            log=Path(scratch) / "log",
            on_line=told,
            grace=GRACE,
        )
        found = read(output) if output.exists() else []
    if outcome.timed_out:
        raise RolloutError(f"{framework}: no end after {limit:g} s\n{outcome.log_tail}")
    if len(found) != expected:
        raise RolloutError(
            f"{framework}: rollout.py ended with code {outcome.returncode} after {len(found)} of "
            f"{expected} episodes\n{outcome.log_tail}"
        )
    return found
