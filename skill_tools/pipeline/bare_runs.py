"""Bare runs: play all policies' scripts on the domain alone, and repeat them for checks that compare runs."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import perf_counter

from skill_tools.evidence.certificate import PortRun
from skill_tools.evidence.evidence import Evidence, lead
from skill_tools.evidence.grading.graded import Graded
from skill_tools.evidence.grading.reviewed import Review
from skill_tools.evidence.probed import Probed
from skill_tools.evidence.reference_run import ReferenceRun
from skill_tools.evidence.saved import hash_sources
from skill_tools.evidence.trajectory import Played, Trajectory
from skill_tools.pipeline.reviews.played_claims import review_folder
from skill_tools.ports.validity import check_certificate
from skill_tools.probes.exploration import explore
from skill_tools.probes.graders import grade_bare
from skill_tools.reference.children import kept
from skill_tools.reference.examples import play_examples, play_readings
from skill_tools.reference.playbook import Playbook, count_tasks, seed_of, write_scripts
from skill_tools.reference.process import Query, Reply, ask, ask_apart, play_job
from skill_tools.reference.shipped import play_shipped
from skill_tools.runtime.progress import Progress, silent
from skill_tools.spec.model import EnvSpec
from skill_tools.spec.readers.readings import read_readings

DEFAULT_TASKS = 10
COSTLY = 3.0
"""If a variant's episodes take more minutes than this, it plays fewer tasks."""
FEWEST = 5
"""Minimum number of tasks that such a variant plays."""
SLOW = 1.0
"""If a variant's episodes take more minutes than this, a build warns about its duration at the start."""
SIDE_BY_SIDE = 4
"""Processes that share the episodes of a blocking domain."""
ALL_SPLITS = "all"
Splits = str | Sequence[str] | None
"""The splits to play: None for the first that has tasks, one, several, or ALL_SPLITS."""


@dataclass(frozen=True)
class BareRuns:
    """A playbook (the scripts of all policies) and its results on the bare domain.

    Attributes:
        packaged: How the domain fails if only the bundled files are present, or "".
        sources: A hash of each of the author's files before the run, to report changes during the run.
        minutes: Duration of a variant's episodes, estimated from the time that solving the tasks took.
    """

    playbook: Playbook
    reference: ReferenceRun
    probed: Probed | None = None
    graded: Graded | None = None
    review: Review | None = None
    port: PortRun | None = None
    packaged: str | None = None
    sources: dict[str, str] | None = None
    minutes: float = 0.0

    @property
    def affordable(self) -> int | None:
        """Return the default number of tasks for a variant; None for all tasks if episodes are cheap."""
        there = len(self.playbook.tasks.tasks)
        return max(FEWEST, int(there * COSTLY / self.minutes)) if self.minutes > COSTLY else None

    def added_to(self, seen: Evidence) -> Evidence:
        """Add the results of these runs to evidence that was collected before the runs, and return the evidence."""
        before = seen.reference
        return replace(
            seen,
            sources=self.sources,
            packaged=self.packaged,
            reference=replace(self.reference, domain=before.domain, survey=before.survey),
            probed=self.probed,
            audit=replace(seen.audit, graded=self.graded),
            review=self.review,
            port=self.port,
        )


@kept()
def play_domain(
    spec: EnvSpec,
    folder: Path,
    *,
    count: int = DEFAULT_TASKS,
    split: str | None = None,
    exploring: bool = True,
    progress: Progress = silent,
) -> BareRuns:
    """Play every policy on the first ``count`` tasks of a split on the bare domain; if ``exploring``, run the probes.

    No rendered files are needed, and no files are written. Raises DomainError if the author's code raises an
    exception outside an episode or never ends.
    """
    before, readings = hash_sources(spec, folder), read_readings(folder)
    started = perf_counter()
    progress("domain", "solving the tasks")
    playbook = write_scripts(spec, folder, split, count, lenient=True)
    seconds = perf_counter() - started
    if slow := told_slow(playbook, seconds):
        progress("domain", slow)
    progress("domain", "playing bare episodes")
    reference = replace(
        _play_bare(spec, folder, playbook),
        examples_replay=play_examples(spec, folder),
        readings=readings,
        readings_replay=play_readings(spec, folder, readings) if readings else None,
    )
    episodes = reference.episodes or {}
    runs = BareRuns(
        playbook,
        reference,
        packaged=play_shipped(spec, folder, playbook, episodes),
        sources=before,
        minutes=minutes_of(playbook, seconds),
    )
    if exploring:
        place = (spec, folder, playbook, episodes)
        scripts = "running {:,} exploiting scripts".format
        probed = explore(*place, lambda count: progress("domain", scripts(count)))
        runs = replace(
            runs, probed=probed, graded=grade_bare(*place, probed.read if probed else ())
        )
    progress("domain", "done")
    return runs


def minutes_of(playbook: Playbook, seconds: float) -> float:
    """Estimate the minutes of a variant's episodes from the time that solving the tasks took."""
    each = seconds / len(playbook.tasks.tasks)
    return sum(len(scripts) for scripts in playbook.scripts.values()) * each / 60


def told_slow(playbook: Playbook, seconds: float) -> str:
    """Return a warning about a slow build if solving a task takes long; otherwise ""."""
    each = seconds / len(playbook.tasks.tasks)
    episodes = sum(len(scripts) for scripts in playbook.scripts.values())
    minutes = minutes_of(playbook, seconds)
    if minutes < SLOW:
        return ""
    return (
        f"solving a task takes {each:.1f} s, so the {episodes} episodes of each variant may take "
        f"{minutes:.0f} min; --quick plays three tasks in each variant, --num-tasks N plays N"
    )


def play_splits(
    spec: EnvSpec, folder: Path, count: int, splits: Splits, progress: Progress = silent
) -> list[BareRuns]:
    """Play the bare runs of each selected split."""
    names = [splits] if splits is None or isinstance(splits, str) else list(splits)
    if ALL_SPLITS in names:
        names = list(count_tasks(spec, folder))
    play = partial(play_domain, spec, folder, count=count, progress=progress)
    first, *others = [play(split=name) for name in dict.fromkeys(names)]
    # Claims and certificates name tasks of any split, so they are played once.
    review, port = review_folder(spec, folder, progress), check_certificate(spec, folder, progress)
    return [replace(first, review=review, port=port), *others]


@dataclass(frozen=True)
class _Episode:
    """An episode to be played alone: its script and its task."""

    policy: str
    label: str
    index: int
    job: Query


def _play_bare(spec: EnvSpec, folder: Path, playbook: Playbook) -> ReferenceRun:
    limit, (tasks, scripts) = spec.episode.max_turns, playbook
    split, places = tasks.split, playbook.places
    leading = lead(scripts)
    alone = [
        _Episode(
            policy,
            key,
            places[key],
            play_job(f"playing {policy} on {key}", [(split, places[key], None, script)], limit),
        )
        for policy, by_key in scripts.items()
        for key, script in by_key.items()
    ]
    together = [(split, places[key], None, script) for key, script in scripts[leading].items()]
    reseeded = [
        (split, index, seed_of(tasks.tasks[index]) + 1, script) for _, index, _, script in together
    ]
    solving = [episode for episode in alone if episode.policy == leading]
    aside = play_job(f"playing the {leading}'s episodes in alternation", together, limit)
    other_seeds = play_job(f"playing the {leading}'s scripts under other seeds", reseeded, limit)
    jobs = [episode.job for episode in alone]
    # Each run has its own process, so that none can leave traces in the next.
    groups = [jobs, [aside], [other_seeds], [episode.job for episode in solving[::-1]]]
    if spec.blocking:
        bare, (shared,), (other,), backward, again = _ask_side_by_side(spec, folder, groups)
    else:
        bare, (shared,), (other,), backward = ask_apart(spec, folder, groups)
        again = ask(spec, folder, jobs, hash_seed="1", elsewhere=True)
    return ReferenceRun(
        tasks=tasks,
        episodes=_arrange(spec, split, alone, bare),
        repeat=_arrange(spec, split, alone, again),
        interleaved=_label_records(solving, split, shared),
        reversed=_arrange(spec, split, solving, backward[::-1])[leading],
        reseeded={
            label: played.model_copy(update={"seed": seed})
            for (label, played), (_, _, seed, _) in zip(
                _label_records(solving, split, other).items(), reseeded, strict=True
            )
        },
    )


def _ask_side_by_side(
    spec: EnvSpec, folder: Path, groups: Sequence[Sequence[Query]]
) -> list[list[Reply]]:
    """Run groups of queries concurrently, because episodes wait for programs. Run the first group twice."""
    jobs, *others = groups
    parts = [part for start in range(SIDE_BY_SIDE) if (part := jobs[start::SIDE_BY_SIDE])]
    usual = partial(ask, spec, folder, hash_seed="0")
    other = partial(ask, spec, folder, hash_seed="1", elsewhere=spec.backend == "none")
    runs = [*((usual, part) for part in (*parts, *others)), *((other, part) for part in parts)]
    with ThreadPoolExecutor(len(runs)) as pool:
        asked = [pool.submit(how, group) for how, group in runs]
        replies = [each.result() for each in asked]
    first, again = replies[: len(parts)], replies[len(parts) + len(others) :]
    dealt = (_deal(found, len(jobs)) for found in (first, again))
    return [next(dealt), *replies[len(parts) : len(parts) + len(others)], next(dealt)]


def _deal(parts: Sequence[Sequence[Reply]], count: int) -> list[Reply]:
    """Return the replies in the order of the jobs. Each part has the replies to every n-th job."""
    return [parts[place % len(parts)][place // len(parts)] for place in range(count)]


def _label_records(episodes: Sequence[_Episode], split: str, reply: Reply) -> dict[str, Trajectory]:
    if reply.error:
        return {each.label: _fail(each, split, reply.error) for each in episodes}
    return {
        each.label: record.trajectory(
            model=each.policy, label=each.label, split=split, index=each.index
        )
        for each, record in zip(episodes, reply.value, strict=True)
    }


def _arrange(
    spec: EnvSpec, split: str, episodes: Sequence[_Episode], replies: Sequence[Reply]
) -> Played:
    played: Played = {}
    for each, reply in zip(episodes, replies, strict=True):
        (found,) = _label_records(
            [each], split, reply if reply.error else Reply(reply.value[:1])
        ).values()
        if not (reply.error or spec.offer):
            found = found.model_copy(update={"tools": spec.tool_schemas()})
        played.setdefault(each.policy, {})[each.label] = found
    return played


def _fail(episode: _Episode, split: str, message: str) -> Trajectory:
    failure = {"kind": "EpisodeFailed", "message": message}
    return Trajectory.model_validate(
        {
            "model": episode.policy,
            "label": episode.label,
            "split": split,
            "index": episode.index,
            "end": "failed",
            "failure": failure,
        }
    )
