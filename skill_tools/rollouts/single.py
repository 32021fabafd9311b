"""One variant, played by one scripted policy or by real models: what `skill-tools rollout` plays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skill_tools import backends
from skill_tools.errors import DomainError
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.policies import scripted
from skill_tools.reference.playbook import ask_bests, write_scripts
from skill_tools.rollouts.rollout import MODEL_KEYS, Asking, roll_out, screen_options, variant_venv
from skill_tools.spec.model import EnvSpec

if TYPE_CHECKING:
    from skill_tools.policies.server import PolicyEndpoint


Scripts = Mapping[str, Mapping[str, scripted.Script]]
"""By policy, and by the label of a task's first sample."""


def serve_scripts(spec: EnvSpec, scripts: Scripts, samples: int = 1) -> PolicyEndpoint:
    """An endpoint that plays scripts in each of so many samples of a task."""
    # Only here: its web server would be imported by every command.
    from skill_tools.policies.server import PolicyEndpoint

    every = {
        policy: {
            f"{label}#{sample}" if sample else label: script
            for label, script in by_label.items()
            for sample in range(samples)
        }
        for policy, by_label in scripts.items()
    }
    return PolicyEndpoint(every, partial(scripted.as_text, spec))


# What `pipeline.rollout` was given, and what was made of the folder.
def roll_out_policy(
    spec: EnvSpec,
    folder: Path,
    framework: str,
    policy: str,
    *,
    indices: tuple[int, int],
    split: str | None,
    samples: int = 1,
    on_line: Callable[[str], None] | None,
) -> list[Trajectory]:
    """A trajectory per task and sample; raises DomainError for a task that does not exist."""
    count = indices[1] - indices[0] + 1
    playbook = write_scripts(spec, folder, split, count, first=indices[0])
    tasks = playbook.tasks
    if len(tasks.tasks) < count:
        last = tasks.sizes[tasks.split] - 1
        raise DomainError(f"there is no task {indices[1]} in {tasks.split!r}; it has 0 to {last}")
    with serve_scripts(spec, playbook.only(policy), samples) as endpoint:
        return roll_out(
            folder,
            framework,
            variant_venv(spec, folder, FRAMEWORKS[framework]),
            models=[policy],
            base_url=endpoint.base_url,
            split=tasks.split,
            indices=indices,
            samples=samples,
            keep=backends.kept_variables(spec),
            on_line=on_line,
            bests=ask_bests(spec, folder, tasks.split, indices),
        )


# What `pipeline.rollout_models` was given, except for what roll_out takes as it is: `options`.
def roll_out_models(
    spec: EnvSpec,
    folder: Path,
    framework: str,
    models: Sequence[str],
    base_url: str | None,
    output: Path,
    screen: Mapping[str, str | None],
    asking: Asking,
    resume: bool,
    **options: Any,
) -> list[Trajectory]:
    """A trajectory per model and task, which ``output`` keeps; ``options`` are those of roll_out.

    ``screen`` has the model's API (``action_api``) and ``coordinates`` on a screen. ``resume``
    continues with an ``output`` that has a part of the episodes.
    """
    return roll_out(
        folder,
        framework,
        variant_venv(spec, folder, FRAMEWORKS[framework]),
        models=models,
        base_url=base_url,
        keep=[*backends.kept_variables(spec), *MODEL_KEYS],
        output=output,
        bests=ask_bests(spec, folder, options["split"], options["indices"], options.get("seed")),
        more=[
            *screen_options(spec, framework, **screen),
            *asking.arguments(),
            *(["--resume"] if resume else []),
        ],
        **options,
    )
