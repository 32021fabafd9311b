"""Play one variant with a scripted policy or with models, for `skill-tools rollout`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from skill_tools import backends
from skill_tools.errors import DomainError
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.policies import scripted
from skill_tools.reference.playbook import ask_bests, write_scripts
from skill_tools.rollouts.options import RolloutOptions
from skill_tools.rollouts.rollout import (
    EPISODE_SECONDS,
    MODEL_KEYS,
    RolloutProcess,
    refuse_roles,
    refuse_screen,
    roll_out,
    variant_venv,
)
from skill_tools.spec.model import EnvSpec

if TYPE_CHECKING:
    from skill_tools.policies.server import PolicyEndpoint


Scripts = Mapping[str, Mapping[str, scripted.Script]]
"""Scripts by policy, and by the label of a task's first sample."""


def serve_scripts(spec: EnvSpec, scripts: Scripts, samples: int = 1) -> PolicyEndpoint:
    """Return a model endpoint that replies from scripts, for the given number of samples of each task."""
    # Imported here because every command would import its web server otherwise.
    from skill_tools.policies.server import PolicyEndpoint

    spoken = scripted.spoken if spec.message else tuple
    every = {
        policy: {
            f"{label}#{sample}" if sample else label: spoken(script)
            for label, script in by_label.items()
            for sample in range(samples)
        }
        for policy, by_label in scripts.items()
    }
    return PolicyEndpoint(every, partial(scripted.as_text, spec))


def roll_out_policy(
    spec: EnvSpec,
    folder: Path,
    framework: str,
    policy: str,
    options: RolloutOptions,
    on_line: Callable[[str], None] | None,
) -> list[Trajectory]:
    """Roll out a policy, and return a trajectory per task and sample. Raise DomainError if a task does not exist."""
    first, last = options.indices
    playbook = write_scripts(spec, folder, options.split, last - first + 1, first=first)
    tasks = playbook.tasks
    if len(tasks.tasks) <= last - first:
        highest = tasks.sizes[tasks.split] - 1
        raise DomainError(f"there is no task {last} in {tasks.split!r}; it has 0 to {highest}")
    venv = variant_venv(spec, folder, FRAMEWORKS[framework])
    with serve_scripts(spec, playbook.only(policy), options.samples) as endpoint:
        return roll_out(
            RolloutProcess(
                folder,
                framework,
                venv,
                keep=backends.kept_variables(spec),
                environment=dict.fromkeys(spec.role_variables(), ""),
            ),
            [policy],
            replace(options, base_url=endpoint.base_url, split=tasks.split),
            on_line=on_line,
            bests=ask_bests(spec, folder, tasks.split, options.indices),
        )


def roll_out_models(
    spec: EnvSpec,
    variant: tuple[Path, str],
    models: Sequence[str],
    options: RolloutOptions,
    output: Path,
    *,
    resume: bool,
    on_line: Callable[[str], None] | None = None,
    progress: Callable[[str], None] | None = None,
) -> list[Trajectory]:
    """Roll out models. Return a trajectory per model, task and sample, and also write it to ``output``.

    Args:
        variant: The environment's folder, and the framework.
        resume: Whether to continue an ``output`` that already has some of the episodes.
    """
    folder, framework = variant
    refuse_screen(spec, framework, options)
    venv = variant_venv(spec, folder, FRAMEWORKS[framework])
    refuse_roles(spec, options)
    keep = [*backends.kept_variables(spec), *MODEL_KEYS, *spec.role_variables("API_KEY")]
    return roll_out(
        RolloutProcess(folder, framework, venv, keep=keep),
        models,
        replace(
            options,
            episode_seconds=options.episode_seconds or EPISODE_SECONDS,
            replies=options.replies and str(Path(options.replies).resolve()),
        ),
        output=output,
        resume=resume,
        bests=ask_bests(spec, folder, options.split, options.indices, options.seed),
        on_line=on_line,
        progress=progress,
    )
