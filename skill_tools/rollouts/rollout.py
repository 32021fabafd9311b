"""Roll out a variant: run its own rollout.py, in its own venv, in a process that ends when this process ends."""

from __future__ import annotations

import json
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter

from skill_tools import backends
from skill_tools.errors import InstallError, Remedy, RolloutError, SkillToolsError
from skill_tools.evidence.trajectory import Trajectory, read
from skill_tools.frameworks import FRAMEWORKS, Framework
from skill_tools.render.plan import CHATTING, MODEL_REQUIREMENTS, SHARED_REQUIREMENTS, wheels_of
from skill_tools.rollouts.options import RolloutOptions
from skill_tools.runtime import interpreters, supervise, venvs
from skill_tools.runtime.environment import child_environment, withheld
from skill_tools.spec.model import EnvSpec

STARTING = 600.0
"""Base time limit of a rollout in seconds: frameworks are imported, and servers start."""
PER_EPISODE = 10.0
"""Additional seconds for each episode; several are played at once."""
EPISODE_SECONDS = 3600.0
"""rollout.py's default limit per episode in seconds."""
CONCURRENCY = 16
"""Default number of concurrent episodes without a viewer: a script needs no time to reply."""
GRACE = 3.0
"""Seconds that a rollout has for closing its worlds if it is ended early."""
ASKING = tuple(
    f"ROLLOUT_{name}"
    for name in (
        *("BASE_URL", "API", "TEMPERATURE", "TOP_P", "MAX_TOKENS", "SAMPLING_SEED", "STOP"),
        *("EXTRA_BODY", "MODEL"),
    )
)
"""Environment variables that configure how rollout.py sends requests to a model."""
MODEL_KEYS = ("ROLLOUT_API_KEY", "OPENAI_API_KEY", "HF_TOKEN", "ANTHROPIC_API_KEY")
"""Secrets that a real model's endpoint may require; see `play.py` among the rendered files."""


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
    """Return the venv of a variant, and make it if needed. ``requirements`` replaces the framework's own pins.

    Raises InterpreterError or InstallError; the message states what to install.
    """
    interpreter = interpreters.find(python or framework.python)
    pins = requirements or framework.requirements
    wanted = [*pins, *SHARED_REQUIREMENTS, *backends.requirements(spec)]
    if spec.display and framework.name in CHATTING:
        wanted += MODEL_REQUIREMENTS
    base = venvs.base(
        wanted, interpreter, framework.warm_imports, progress, without=framework.without
    )
    links = {spec.package: folder}
    for wheel in wheels_of(spec):
        links[wheel.imported] = wheel.unpacked(folder, venvs.cache_folder() / "packages")
    if (framework.templates / "{{ spec.name }}").is_dir():
        links[spec.name] = folder / framework.name / spec.name
    return venvs.overlay(base, f"{spec.name}-{framework.name}", links)


def prepare(
    spec: EnvSpec, folder: Path, names: Sequence[str], say: Callable[[str, str], None]
) -> None:
    """Make the venvs of several variants concurrently.

    If some venvs could not be made, raises InstallError with every reason.
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
        hint = f"\n    or build only the other variants: {', '.join(left)}" if left else ""
        if spec.packages:
            hint += "\n    or remove from `packages` those that only a child process imports, such as an MCP server: "
            hint += "docs/mcp_servers.md shows how to give that process its own venv"
        raise InstallError("\n".join(reasons) + hint)


@dataclass(frozen=True)
class RolloutProcess:
    """The process that plays a variant with its own rollout.py, in its own venv."""

    folder: Path
    """Folder of the environment."""
    framework: str
    """Framework of the variant."""
    venv: venvs.Overlay
    """The variant's venv."""
    keep: Sequence[str] = ()
    """Names of variables to pass to the process, including secrets."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Further variables, with their values."""
    url: str | None = None
    """Address of a running server of the variant."""
    timeout: float | None = None
    """Maximum seconds. Default: ten minutes, plus ten seconds per episode or twice its own limit."""

    def find_variant(self) -> Path:
        """Return the folder of the variant. Raise RolloutError if the variant is not rendered."""
        if not (self.folder / self.framework / "rollout.py").is_file():
            raise RolloutError(
                f"{self.framework} is not rendered: render this variant first",
                remedy=Remedy("render", self.folder, (self.framework,)),
            )
        return self.folder / self.framework

    def seconds(self, options: RolloutOptions, episodes: int) -> float:
        """Return the time limit of the process in seconds."""
        if self.timeout is not None:
            return self.timeout
        # A model may think for long; the rollout itself limits each of its episodes.
        each = 2 * options.episode_seconds if options.episode_seconds else PER_EPISODE
        return STARTING + each * episodes

    def variables(self) -> dict[str, str]:
        """Return the environment variables of the process."""
        # A user's own rollout.py variables would redirect this rollout, or end it early.
        framework, scripted = FRAMEWORKS[self.framework], "ROLLOUT_API_KEY" not in self.keep
        own = ("MAX_TURNS", framework.url_variable, *(ASKING if scripted else ()))
        knobs = dict.fromkeys(filter(None, own), "")
        extra = {**knobs, **framework.environment, **self.environment}
        return child_environment(extra, keep=self.keep)


def refuse_screen(spec: EnvSpec, framework: str, options: RolloutOptions) -> None:
    """Raise SkillToolsError if the options set a screen API or coordinates but the variant has no screen."""
    wanted = {"--action-api": options.action_api, "--coordinates": options.coordinates}
    given = [name for name, value in wanted.items() if value]
    if given and not (spec.display and framework in CHATTING):
        where = " and ".join(sorted(CHATTING))
        raise SkillToolsError(
            f"{' and '.join(given)} need an environment with a display, in {where}\n"
            "    fix: remove them"
        )


def refuse_roles(spec: EnvSpec, options: RolloutOptions) -> None:
    """Raise SkillToolsError if the options configure models inside the environment but the environment declares
    none."""
    wanted = {"--roles-model": options.roles_model, "--roles-base-url": options.roles_base_url}
    given = [name for name, value in {**wanted, "--replies": options.replies}.items() if value]
    if given and not spec.models:
        raise SkillToolsError(
            f"{' and '.join(given)}: {spec.name} declares no models in env.yaml\n    fix: remove them"
        )


def roll_out(
    process: RolloutProcess,
    models: Sequence[str],
    options: RolloutOptions,
    *,
    output: Path | None = None,
    resume: bool = False,
    bests: Mapping[str, float] | None = None,
    on_line: Callable[[str], None] | None = None,
    progress: Callable[[str], None] | None = None,
) -> list[Trajectory]:
    """Play every model on the tasks in the options. Return a trajectory per sample.

    Failed episodes are returned as failed trajectories. If the process itself failed or ran for too long, raises
    RolloutError with the end of the log.

    Args:
        output: A new file that receives each trajectory as soon as it ends. With ``resume``, a file that already
            has some trajectories.
        bests: The maximum return of each task, as {"train/0": 0.7}, to store with the trajectories.
        on_line: A function that receives each line of output. If it is given, the default concurrency is one. Its
            exceptions are raised at the end.
        progress: A function that regularly receives the number of completed episodes.
    """
    expected = len(models) * options.episodes_per_model
    at_once = options.concurrency or (1 if on_line else CONCURRENCY)
    folder, limit = process.find_variant(), process.seconds(options, expected)
    with tempfile.TemporaryDirectory(prefix="skill-tools-") as scratch:
        lines = output or Path(scratch) / "trajectories.jsonl"
        command = [str(process.venv.python), "rollout.py", "--model", *models]
        command += replace(options, concurrency=at_once).arguments()
        command += ["--output", str(lines.resolve()), *(["--resume"] if resume else [])]
        command += ["--url", process.url] if process.url else []
        if bests:
            (Path(scratch) / "bests.json").write_text(json.dumps(dict(bests)), "utf-8")
            command += ["--bests", str(Path(scratch) / "bests.json")]
        command += [] if on_line else ["--quiet"]
        # The output names the trajectory file, maybe in a folder that is gone when this is read.
        show = on_line and _Shown(on_line)
        shown = show and (lambda line: show(line) if output or scratch not in line else None)
        with _reported(lines, expected, progress):
            outcome = supervise.run(
                command,
                cwd=folder,
                env=process.variables(),
                timeout=limit,
                log=Path(scratch) / "log",
                on_line=shown,
                grace=GRACE,
            )
        found = read(lines) if lines.exists() else []
    if outcome.timed_out:
        raise RolloutError(f"{process.framework}: not done after {limit:g} s\n{outcome.log_tail}")
    if show and show.failure:
        raise show.failure
    # A file that it did not resume may have as many episodes, but other ones.
    refused = resume and outcome.returncode == 1
    broke = refused and not any(line.end == "failed" for line in found)
    if len(found) < expected or broke:
        raise RolloutError(
            f"{process.framework}: rollout.py ended with code {outcome.returncode} after {len(found)} of "
            f"{expected} episodes\n{outcome.log_tail}{withheld(outcome.log_tail, process.keep)}"
        )
    return found


class _Shown:
    """A wrapper around ``on_line``. If ``on_line`` fails, it is not called again, but the rollout continues, because
    the display must not affect the rollout.
    """

    def __init__(self, on_line: Callable[[str], None]) -> None:
        self._on_line = on_line
        self.failure: Exception | None = None

    def __call__(self, line: str) -> None:
        if self.failure is None:
            try:
                self._on_line(line)
            except Exception as failure:  # noqa: BLE001 - raised when all is played and kept
                self.failure = failure


@contextmanager
def _reported(lines: Path, total: int, progress: Callable[[str], None] | None) -> Iterator[None]:
    """Regularly report the number of episodes in a file, and an estimate of the remaining time."""
    if progress is None:
        yield
        return
    over = threading.Event()

    def follow() -> None:
        pause, seen, first = 1.0, 0, (0, 0.0)
        while not over.wait(pause):
            done = lines.read_bytes().count(b"\n") if lines.exists() else 0
            if done in (seen, total):
                continue
            now = perf_counter()
            first = first if seen else (done, now)
            speed = (done - first[0]) / (now - first[1]) if seen else 0.0
            left = f", about {say_duration((total - done) / speed)} left" if speed else ""
            progress(f"rolling out, {done} of {total} episodes{left}")
            pause, seen = min(15.0, pause * 1.5), done

    thread = threading.Thread(target=follow, name="rollout-progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def say_duration(seconds: float) -> str:
    """Return a duration as text, such as "40 s" or "5 min"."""
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"
