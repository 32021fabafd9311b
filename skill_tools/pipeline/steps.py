"""The steps of the pipeline: check, render, play, judge, report. Each step uses the result of the previous step.

Every ``folder`` is the folder of an environment, or the path of its env.yaml.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from skill_tools.archetypes.scaffold import NewEnvironment, start_in
from skill_tools.checks.catalogue import refuse_unknown
from skill_tools.evidence.trajectory import Replay, Trajectory
from skill_tools.files import find_environment
from skill_tools.frameworks import known, rules
from skill_tools.pipeline.bare_runs import DEFAULT_TASKS, Splits, play_splits
from skill_tools.pipeline.collection import inspect_domain, read_author_files
from skill_tools.pipeline.datasets.task_rows import with_rows
from skill_tools.pipeline.former_keywords import also_known_as
from skill_tools.pipeline.variants import play_variants, read_earlier
from skill_tools.policies import scripted
from skill_tools.reference.replay import Asked, play_again, play_calls
from skill_tools.render.choice import ALL, choose_rendered, choose_variants
from skill_tools.render.choice import plan_file as plan_one_file
from skill_tools.render.plan import plan
from skill_tools.render.writer import (
    FileState,
    Rendering,
    refuse_edited,
    refuse_unwritable,
    states,
    write,
)
from skill_tools.report.outcome import Outcome, judge, judge_bare, keep_episodes
from skill_tools.report.storage.runs import new_run, read_shown
from skill_tools.rollouts.options import RolloutOptions
from skill_tools.rollouts.rollout import prepare
from skill_tools.rollouts.single import roll_out_models, roll_out_policy
from skill_tools.runtime.progress import Progress, silent
from skill_tools.spec.model import EnvSpec

QUICK_TASKS = 3
"""Tasks per split that variants play in a quick build: few, but enough for tasks to differ."""


def load(folder: Path | str) -> EnvSpec:
    """Read env.yaml. Raises SpecError with every problem, its line and its fix."""
    return rules.load(find_environment(folder))


def new(folder: Path | str, archetype: str, name: str | None = None) -> NewEnvironment:
    """Write a small working environment into a new or empty folder.

    ``archetype`` may also be the name of another starter of an archetype, such as "desktop". Raises RenderError if the
    folder is not empty, and SpecError for a name that a framework reserves; nothing is written in these cases.
    """
    return start_in(Path(folder), archetype, name)


def plan_file(folder: Path | str, file: str) -> str:
    """Return the text of one file as env.yaml now renders the file. Raises SkillToolsError for any other file."""
    return plan_one_file(find_environment(folder), file)


def check(
    folder: Path | str,
    *,
    run_code: bool = True,
    play: bool = False,
    count: int = DEFAULT_TASKS,
    split: Splits = None,
    progress: Progress = silent,
) -> Outcome:
    """Check the author's files without rendering; rendered files are therefore not checked for drift.

    Without ``run_code``, only env.yaml is examined and none of the author's code is imported. With
    ``play``, every policy plays the bare domain. No framework is needed, and only the episodes of findings are
    stored, for ``replay``.
    """
    folder = find_environment(folder)
    spec = rules.load(folder)
    if not run_code:
        return judge(read_author_files(spec, folder))
    seen = inspect_domain(spec, folder)
    found = judge(seen)
    if not (play and found.report.ok):
        return found
    runs = play_splits(spec, folder, count, split, progress)
    return keep_episodes(
        judge_bare([with_rows(bare.added_to(seen), len(spec.tools)) for bare in runs])
    )


def render(
    folder: Path | str,
    frameworks: Sequence[str] | None = None,
    *,
    force: bool = False,
    dry_run: bool = False,
) -> Rendering:
    """Write the spec's files, or only the files of some frameworks; with ``dry_run``, only report the changes.

    A requested framework that env.yaml does not name is rendered as well, and kept up to date
    afterwards. Raises SkillToolsError for an unknown framework. Raises RenderError, with nothing
    written, if a file was edited by hand and ``force`` is not set.
    """
    folder = find_environment(folder)
    choice = choose_variants(folder, frameworks)
    refuse_unknown(choice.spec)
    only = set(plan(choice.spec, choice.frameworks)) if frameworks else None
    if dry_run:
        found = states(folder, plan(choice.spec))
        files = [state for state in found if only is None or state.path in only]
    else:
        files = _write(folder, choice.spec, force=force, only=only)
    return Rendering(choice.spec, tuple(files), written=not dry_run)


def validate(
    folder: Path | str,
    frameworks: Sequence[str] | None = None,
    *,
    count: int | None = None,
    split: Splits = None,
    quick: bool = False,
    progress: Progress = silent,
) -> Outcome:
    """Play every policy in every rendered variant, and check the evidence.

    ``count`` tasks of each selected split are played; ``split`` selects the first split by default, named splits, or
    "all". The default count is ten, or fewer in variants with expensive episodes. If the oracle has no solution for one
    of these tasks, no variant is played. ``quick`` plays the bare domain as always, but only the first three tasks in
    the variants.
    """
    folder = find_environment(folder)
    choice = choose_variants(folder, frameworks)
    if choice.spec.packages:  # they may contradict a framework's own, which is known in a second
        prepare(choice.spec, folder, choice.frameworks, progress)
    runs = play_splits(choice.spec, folder, count or DEFAULT_TASKS, split, progress)
    if any(bare.playbook.tasks.unsolved for bare in runs):
        seen = inspect_domain(choice.spec, folder)
        return judge_bare([bare.added_to(seen) for bare in runs])
    return play_variants(
        *(choice, folder, runs),
        most=QUICK_TASKS if quick else None,
        may_spare=count is None,
        earlier={},
        progress=progress,
    )


@also_known_as(fresh="no_cache")
def build(
    folder: Path | str,
    frameworks: Sequence[str] | None = None,
    *,
    count: int | None = None,
    split: Splits = None,
    force: bool = False,
    quick: bool = False,
    no_cache: bool = False,
    progress: Progress = silent,
) -> Outcome:
    """Turn the author's files into a report: check, render, install, roll out, check, report.

    ``quick`` is for the edit loop (see ``validate``). Unless ``no_cache`` is set, the variants' episodes are
    reused from the last build or validation if their inputs have not changed. A domain that breaks its contract,
    an oracle that raises or never ends, and a venv that cannot be made raise an error before anything is written.
    """
    folder = find_environment(folder)
    known([name for name in frameworks or () if name != ALL])
    found = check(folder)
    if not found.report.ok:
        return found
    earlier = {} if no_cache else read_earlier(folder)
    choice = choose_variants(folder, frameworks)
    refuse_unwritable(folder, refuse_edited(folder, plan(choice.spec), force=force))
    runs = play_splits(choice.spec, folder, count or DEFAULT_TASKS, split, progress)
    if any(bare.playbook.tasks.unsolved for bare in runs):
        return judge_bare([bare.added_to(found.evidence) for bare in runs])
    prepare(choice.spec, folder, choice.frameworks, progress)
    _write(folder, choice.spec, force=force)
    return play_variants(
        *(choice, folder, runs),
        most=QUICK_TASKS if quick else None,
        may_spare=count is None,
        earlier=earlier,
        progress=progress,
    )


def rollout(
    folder: Path | str,
    framework: str,
    policy: str = "oracle",
    *,
    indices: tuple[int, int] = (0, 0),
    split: str | None = None,
    samples: int = 1,
    on_line: Callable[[str], None] | None = None,
) -> list[Trajectory]:
    """Play one scripted policy in one rendered variant; return a trajectory per task and sample.

    ``indices`` are the first and the last task in a split (default: the first split). If ``on_line`` is given, it
    receives every step, and episodes are played one by one. Raises SkillToolsError for an unknown policy or task,
    RenderError if the variant is not rendered, and RolloutError if the variant's process failed.
    """
    folder = find_environment(folder)
    scripted.known(policy)
    spec = choose_rendered(folder, [framework]).spec
    options = RolloutOptions(indices=indices, split=split, samples=samples)
    return roll_out_policy(spec, folder, framework, policy, options, on_line)


def rollout_models(
    folder: Path | str,
    framework: str,
    models: Sequence[str],
    options: RolloutOptions | None = None,
    *,
    resume: Path | None = None,
    on_line: Callable[[str], None] | None = None,
) -> tuple[Path, list[Trajectory]]:
    """Play real models in one variant, in the build's venv; return the trajectory file and a trajectory per sample.

    The key of ``options.base_url`` is in ROLLOUT_API_KEY. ``resume`` is a file in which some of these episodes are
    missing or failed. Raises the errors of ``rollout``.
    """
    folder = find_environment(folder)
    spec = choose_rendered(folder, [framework]).spec
    kept = resume or new_run(folder, framework)
    options = options or RolloutOptions()
    options = replace(options, concurrency=options.concurrency or 1)
    try:
        found = roll_out_models(
            *(spec, (folder, framework), models, options, kept),
            resume=resume is not None,
            on_line=on_line,
        )
    finally:
        if kept.exists() and not kept.stat().st_size:
            kept.unlink()
    return kept, found


def replay(folder: Path | str, check: str) -> Replay:
    """Replay the episode of a finding on the current bare domain.

    ``check`` names the check of a finding from the last build, validation or ``check(play=True)``. Raises
    SkillToolsError if no episode is stored, and DomainError if the author's code raises or never ends.
    """
    folder = find_environment(folder)
    return play_again(rules.load(folder), folder, read_shown(folder, check))


def try_calls(
    folder: Path | str,
    calls: Sequence[Asked | str] = (),
    *,
    index: int = 0,
    split: str | None = None,
    seed: int | None = None,
) -> Trajectory:
    """Play calls on the current bare domain and return the trajectory. Without calls, the trajectory is only the
    opening.

    A call is a pair of tool and arguments, or a text: ``drop_piece column=3``, ``look``, or the tool and a JSON object.
    Raises DomainError for a task that does not exist, or if the author's code raises or never ends. Raises
    SkillToolsError for a text that is not a call.
    """
    folder = find_environment(folder)
    spec = rules.load(folder)
    return play_calls(spec, folder, calls, index=index, split=split, seed=seed)


def _write(
    folder: Path, spec: EnvSpec, *, force: bool, only: set[str] | None = None
) -> list[FileState]:
    requested = set(spec.frameworks) - set(rules.load(folder).frameworks)
    return write(folder, spec, plan(spec), force=force, only=only, requested=requested)
