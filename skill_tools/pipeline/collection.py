"""The collection of evidence: read the author's files, inspect the domain, and play variants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import perf_counter

from skill_tools import backends
from skill_tools.errors import DomainError, SkillToolsError
from skill_tools.evidence.declaration import Declaration
from skill_tools.evidence.evidence import Evidence, VariantRuns
from skill_tools.evidence.reference_run import DomainClass, ReferenceRun
from skill_tools.evidence.saved import hash_sources
from skill_tools.evidence.trajectory import Origin, Played, by_label
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.pipeline import source
from skill_tools.pipeline.bare_runs import BareRuns
from skill_tools.reference.playbook import Playbook
from skill_tools.reference.process import Query, ask
from skill_tools.render.plan import plan
from skill_tools.render.writer import states
from skill_tools.rollouts.episode_cache import Hashes, hash_episodes, hash_files, hash_variant, take
from skill_tools.rollouts.options import RolloutOptions
from skill_tools.rollouts.rollout import RolloutProcess, roll_out, variant_venv
from skill_tools.rollouts.single import serve_scripts
from skill_tools.runtime.environment import SECRET
from skill_tools.runtime.progress import Progress, silent
from skill_tools.spec.model import EnvSpec
from skill_tools.spec.readers.readings import read_readings


def read_author_files(spec: EnvSpec, folder: Path) -> Evidence:
    """Read env.yaml and the domain's source, without running the author's code."""
    files = [n for n in spec.domain_files if n.endswith(".py") and (folder / n).is_file()]
    trees = {name: source.parsed(folder / name) for name in files}
    return Evidence(
        Declaration.of(spec),
        spec,
        folder,
        imports={name: list(source.imports(tree)) for name, tree in trees.items()},
        variables={name: _secrets(source.variables(tree)) for name, tree in trees.items()},
        oracle_module=spec.oracle.partition(":")[0],
        sources=hash_sources(spec, folder),
        reference=ReferenceRun(readings=read_readings(folder)),
    )


def _secrets(variables: dict[str, int]) -> dict[str, int]:
    return {name: line for name, line in variables.items() if SECRET.fullmatch(name)}


def inspect_domain(spec: EnvSpec, folder: Path) -> Evidence:
    """Inspect the author's files, the domain class and all tasks, without playing.

    Raises DomainError if the domain cannot be imported or the tasks cannot be read.
    """
    importing = Query("inspect", f"importing {spec.domain_module}.py")
    domain, survey = ask(spec, folder, [importing, Query("survey", "reading the tasks")])
    if domain.error:
        raise DomainError(f"{importing.what} failed: {domain.error}")
    # Without InvalidAction the tasks cannot be read either; its own check reports that.
    if survey.error and domain.value.invalid_action:
        raise DomainError(f"reading the tasks failed: {survey.error}")
    seen = DomainClass(spec.domain_module, spec.domain, **vars(domain.value))
    read = read_author_files(spec, folder)
    return replace(read, reference=replace(read.reference, domain=seen, survey=survey.value))


def compare_files(spec: EnvSpec, folder: Path) -> Evidence:
    """Inspect the domain, and compare every rendered file with the file that the spec plans."""
    return replace(inspect_domain(spec, folder), files=states(folder, plan(spec)))


def collect_evidence(
    spec: EnvSpec,
    folder: Path,
    bare: BareRuns,
    frameworks: Sequence[str] | None = None,
    *,
    most: int | None = None,
    earlier: Evidence | None = None,
    progress: Progress = silent,
) -> Evidence:
    """Play the playbook of the bare runs in every variant in the folder, concurrently.

    Args:
        spec: The environment's spec.
        folder: The environment's folder.
        bare: The bare runs, with the playbook.
        frameworks: The frameworks of the variants; None for the spec's frameworks.
        most: Maximum number of tasks; None for all tasks.
        earlier: Evidence of this split whose episodes are reused if nothing has changed since.
        progress: Called with progress messages.
    """
    # Imported here because every command would import its web server otherwise.

    started = perf_counter()
    names = list(spec.frameworks if frameworks is None else frameworks)
    rollouts: dict[str, Played] = {}
    origins: dict[str, dict[str, Origin]] = {}
    broken: dict[str, str] = {}
    packages: dict[str, dict[str, str]] = {}
    files = hash_files(folder)
    with (
        serve_scripts(spec, bare.playbook.scripts) as endpoint,
        ThreadPoolExecutor(len(names) or 1) as pool,
    ):
        playing = _Playing(spec, folder, bare.playbook, most, endpoint.base_url, files, earlier)
        jobs = {name: pool.submit(playing.play, name, partial(progress, name)) for name in names}
        seen = compare_files(spec, folder)
        for name, job in jobs.items():
            try:
                rollouts[name], origins[name], packages[name] = job.result()
            except SkillToolsError as error:
                broken[name] = str(error)
                progress(name, "did not run")
    return replace(
        bare.added_to(seen),
        variants=VariantRuns(
            rollouts=rollouts,
            # If files changed during the run, it belongs to neither state and must not be reused.
            origins=origins if hash_files(folder) == files else {},
            broken=broken,
            most=most,
            packages=packages,
            in_text=frozenset(name for name in names if FRAMEWORKS[name].actions == "text"),
        ),
        seconds=perf_counter() - started,
    )


@dataclass(frozen=True)
class _Playing:
    """The scripts that each variant plays, and the episodes that may be reused from earlier evidence."""

    spec: EnvSpec
    folder: Path
    playbook: Playbook
    most: int | None
    base_url: str
    files: Hashes
    earlier: Evidence | None

    def play(
        self, name: str, say: Callable[[str], None]
    ) -> tuple[Played, dict[str, Origin], dict[str, str]]:
        """Play a variant, or only the policies whose episodes may have changed.

        Return the variant's episodes, their origins, and the versions of the packages that env.yaml declares.
        """
        every, scripts = self.playbook
        tasks = replace(every, tasks=every.tasks[: self.most])
        venv = variant_venv(self.spec, self.folder, FRAMEWORKS[name], progress=say)
        packages = venv.base.versions(self.spec.packages)
        variant = hash_variant(self.spec, self.folder, self.files, name, venv.base.folder.name)
        keys = hash_episodes(variant, tasks, self.playbook.places, scripts)
        played, origins = take(self.earlier, name, keys)
        left = [policy for policy in scripts if policy not in played]
        if not left:
            say("inputs unchanged: results reused from the last build")
            return played, origins, packages
        now = datetime.now(UTC)
        say(f"rolling out {', '.join(left)}" if played else "rolling out")
        found = roll_out(
            RolloutProcess(
                self.folder,
                name,
                venv,
                keep=backends.kept_variables(self.spec),
                environment=dict.fromkeys(self.spec.role_variables(), ""),
            ),
            left,
            RolloutOptions(
                base_url=self.base_url, split=tasks.split, indices=(0, len(tasks.tasks) - 1)
            ),
            progress=say,
            bests={"/".join(label.split("/")[1:3]): best for label, best in tasks.bests.items()},
        )
        say("done")
        fresh = {policy: Origin(now, keys[policy]) for policy in left}
        return {**played, **by_label(found)}, {**origins, **fresh}, packages
