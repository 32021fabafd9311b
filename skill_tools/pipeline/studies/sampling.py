"""Sample a model on an environment in batches, resumably and within a budget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from skill_tools.errors import RolloutError, SkillToolsError
from skill_tools.files import find_environment
from skill_tools.learnability.levers import levers
from skill_tools.learnability.model import Study
from skill_tools.learnability.sampled import ModelStudy, Prices
from skill_tools.learnability.samples import measure, tokens_of
from skill_tools.pipeline.clusters import play_study
from skill_tools.pipeline.studies.study_terms import (
    Terms,
    agree,
    first_rendered,
    refuse_odd,
    study_path,
)
from skill_tools.render.choice import choose_rendered
from skill_tools.report.page.kept import renew_pages
from skill_tools.report.storage.runs import keep_study
from skill_tools.rollouts.batches import Budget, Place, SampleBatch, Wanted, next_batch
from skill_tools.rollouts.options import RolloutOptions, SamplePlan
from skill_tools.rollouts.ray_cluster import find_cluster
from skill_tools.rollouts.records.study_file import StudyEpisodes, StudySettings, read_study
from skill_tools.rollouts.rollout import EPISODE_SECONDS
from skill_tools.rollouts.server_check import refuse_unreachable
from skill_tools.rollouts.single import roll_out_models
from skill_tools.runtime.progress import Progress, silent

SAMPLES = 8
"""Default number of episodes per task: the usual size of a group in training."""
CONCURRENCY = 8
"""Default number of concurrent episodes, as in rollout.py."""
NEVER = 3.0
"""Numerator of the half width used if all tasks had the same result, as the usual half width is then zero.

With 95 % confidence, an outcome never seen in n tasks has a share of at most 3/n.
"""
ALL_FAILED = 4
"""Number of failed episodes after which a study ends with an error, if no episode has a score."""


def sample_model(
    folder: Path | str,
    framework: str | None,
    model: str,
    options: RolloutOptions | None = None,
    plan: SamplePlan | None = None,
    *,
    resume: Path | None = None,
    cluster: str | None = None,
    progress: Progress = silent,
) -> tuple[Path, ModelStudy]:
    """Play samples of each task with a model, in rounds over all tasks, and measure the results.

    The tasks of ``plan`` cover every level. They are played in batches of at most 64 episodes, in ``framework``
    or the first rendered variant. From ``options`` the study takes the split, samples (default: 8), concurrency
    (default: 8) and request settings. Its limits include the episodes that are already in the file. An episode
    passes if its return reaches ``plan.threshold``.

    Returns the file of the episodes, ``runs/study-MODEL.jsonl``, and the results. ``resume`` is the file to
    continue, which may have another name; only its failed episodes are repeated. If ``cluster`` is given, all
    episodes are played on a Ray cluster, as in ``rollout_on_cluster``, without stopping early.

    Raises SkillToolsError if the file exists and is neither resumed nor restarted, if it was played with other
    settings, or for an invalid option. Raises RolloutError if the variant does not run, or if all episodes fail.
    The recorded episodes are kept.
    """
    folder = find_environment(folder)
    options, plan = options or RolloutOptions(samples=SAMPLES), plan or SamplePlan()
    refuse_odd(options, plan, resume)
    if cluster and plan.ends_early:
        raise SkillToolsError(
            "a cluster plays everything: --episodes, --token-budget and --ci-halfwidth have no effect\n"
            "    fix: remove these options, and set --num-tasks and --samples"
        )
    if cluster:
        find_cluster(cluster)  # before a file is moved aside
    if options.base_url:
        refuse_unreachable(model, options.base_url)
    framework = framework or first_rendered(folder)
    spec = choose_rendered(folder, [framework]).spec
    terms = agree(spec, folder, framework, model, options, plan.num_tasks)
    shared = replace(
        options,
        split=terms.settings.split,
        max_turns=terms.settings.max_turns,
        concurrency=options.concurrency or CONCURRENCY,
        episode_seconds=options.episode_seconds or EPISODE_SECONDS,
    )
    path = study_path(folder, model, resume, restart=plan.restart)
    if cluster:
        play_study(cluster, spec, folder, terms, path, shared, progress)
    study = _start(path, terms, options, plan, lambda what: progress(framework, what))

    def play(batch: SampleBatch, tell: Callable[[str], None]) -> None:
        path.touch()
        chosen = replace(shared, indices=(batch.first, batch.last), samples=batch.samples)
        roll_out_models(
            *(spec, (folder, framework), [model], chosen, path), resume=True, progress=tell
        )

    return path, study.go_on(play)


def _start(
    path: Path,
    terms: Terms,
    options: RolloutOptions,
    plan: SamplePlan,
    progress: Callable[[str], None],
) -> StudyRun:
    """Return a study run that has not played any new episode yet."""
    levels: dict[tuple[str | None, int | None], str] = {
        (terms.settings.split, index): level for index, level in enumerate(terms.levels)
    }
    return StudyRun(
        path=path,
        settings=terms.settings,
        wanted=Wanted(terms.tasks, options.samples),
        budget=Budget(plan.episodes, plan.token_budget, plan.ci_halfwidth),
        at_once=options.concurrency or CONCURRENCY,
        measured=lambda seen: measure(
            seen.all, levels=levels, threshold=plan.threshold, prices=_prices(plan)
        ),
        progress=progress,
    )


def _prices(plan: SamplePlan) -> Prices | None:
    if plan.price_in is None or plan.price_out is None:
        return None
    return Prices(prompt=plan.price_in, completion=plan.price_out)


def add_to_study(folder: Path | str, study: Study, numbers: ModelStudy) -> Study:
    """Return the study with a model's results added. Also save the study and update the last report's page."""
    folder = find_environment(folder)
    found = study.model_copy(update={"models": [*study.models, numbers.model_dump(mode="json")]})
    keep_study(folder, found)
    renew_pages(folder)
    return found


@dataclass
class StudyRun:
    """A running study; ``measured`` returns the results so far."""

    path: Path
    settings: StudySettings
    wanted: Wanted
    budget: Budget
    at_once: int
    measured: Callable[[StudyEpisodes], ModelStudy]
    progress: Callable[[str], None]

    def go_on(self, play: Callable[[SampleBatch, Callable[[str], None]], None]) -> ModelStudy:
        """Play batches until a limit ends the study; return the results of all episodes."""
        seen, failures, last = read_study(self.path, self.settings), dict[Place, int](), 0
        while True:
            numbers = self.measured(seen) if seen.all else None
            if numbers:
                self.progress(self._done(seen, numbers))
            size = self.budget.size(seen.started, _tokens(seen), self.at_once)
            batch = next_batch(self.wanted, seen.scored, failures, size)
            ended = self._ended(seen, numbers, batch, last)
            if ended or batch is None:
                break
            try:
                play(batch, lambda _: self.progress(self._playing()))
            except RolloutError as error:
                raise RolloutError(f"{error}{self._kept()}") from error
            finally:
                if self.path.exists() and not self.path.stat().st_size:
                    self.path.unlink()
            seen = self._looked_at(batch, seen, failures)
            last = len(batch.places)
        if numbers is None:
            raise SkillToolsError(
                "the budget does not allow a single episode\n    fix: raise --episodes"
            )
        self.progress("done")
        left = len(self.wanted.left(seen.scored))
        numbers = numbers.model_copy(update={"ended": ended, "left": left})
        return numbers.model_copy(update={"advice": levers(numbers)})

    def _looked_at(
        self, batch: SampleBatch, before: StudyEpisodes, failures: dict[Place, int]
    ) -> StudyEpisodes:
        """Return the study's episodes after a batch. Raises RolloutError for an incomplete or wholly failed batch."""
        seen = read_study(self.path, self.settings)
        missing = [place for place in batch.places if place not in seen.scored]
        if seen.started - before.started < len(batch.places):
            raise RolloutError(
                f"{seen.started - before.started} of {len(batch.places)} episodes of a batch were "
                f"recorded{self._kept()}"
            )
        if len(missing) == len(batch.places) and (len(missing) >= ALL_FAILED or not seen.scored):
            failure = seen.failed[-1].failure
            raise RolloutError(
                f"all {len(missing)} episodes of a batch failed, the last with: "
                f"{failure.message if failure else 'no reason was recorded'}{self._kept()}"
            )
        for place in missing:
            failures[place] = failures.get(place, 0) + 1
        if self.budget.tokens is not None and not _tokens(seen):
            raise SkillToolsError(
                "the server does not report tokens, so skill-tools cannot limit the tokens\n"
                f"    fix: use --episodes instead of --token-budget, with --resume; {self.path} has "
                f"{seen.started} episodes"
            )
        return seen

    def _ended(
        self, seen: StudyEpisodes, numbers: ModelStudy | None, batch: SampleBatch | None, last: int
    ) -> str:
        """Return the reason why the study ends; "" if the study continues."""
        left = self.wanted.left(seen.scored)
        if not left:
            return f"all {self.wanted.episodes} episodes were played"
        # Until every task was played once, the interval covers only the first tasks.
        if self.budget.ci_halfwidth is not None and numbers and seen.rounds(self.wanted.tasks):
            half = _half_width(numbers)
            if half < self.budget.ci_halfwidth:
                return f"pass@1 is known to ± {half:.3f}"
        used, most = _tokens(seen), self.budget.tokens
        if most is not None and used >= most:
            over = f", {used - most:,} over" if used > most else ""
            after = f" in the last batch of {last}" if over and last else ""
            return f"the budget of {most:,} tokens is used up: {used:,}{over}{after}"
        if self.budget.episodes is not None and seen.started >= self.budget.episodes:
            return f"{seen.started} of {self.budget.episodes} allowed episodes were started"
        if batch is None:
            lacking = sorted({index for index, _ in left})
            named = ", ".join(f"{self.settings.split}/{index}" for index in lacking[:3])
            return (
                f"the remaining tasks failed more than once: {len(lacking)} tasks, such as {named}"
            )
        return ""

    def _done(self, seen: StudyEpisodes, numbers: ModelStudy) -> str:
        """Return one line about the episodes so far and their result."""
        rate = numbers.overall.passed.get(1)
        said = f", pass@1 {rate.text}" if rate else ""
        failed = f", {len(seen.failed)} failed" if seen.failed else ""
        most = "" if self.budget.tokens is None else f" of {self.budget.tokens:,}"
        return (
            f"{len(seen.scored)} of {self.wanted.episodes} episodes{said}, {_tokens(seen):,}{most} "
            f"tokens{failed}"
        )

    def _playing(self) -> str:
        there = self.path.read_bytes().count(b"\n") if self.path.exists() else 0
        return f"playing: {there} of {self.wanted.episodes} episodes are done"

    def _kept(self) -> str:
        if not self.path.exists() or not self.path.stat().st_size:
            return "\n    fix: resolve the cause, then start again; no episode was played"
        return f"\n    fix: resolve the cause, then continue with --resume: {self.path} keeps the episodes"


def _half_width(numbers: ModelStudy) -> float:
    """Return half the width of pass@1's confidence interval. The width is positive even if all results are equal."""
    rate = numbers.overall.passed.get(1)
    if rate is None:
        raise SkillToolsError(
            "no threshold for a pass is known, so --ci-halfwidth cannot end the study\n"
            "    fix: declare the maximum of a task (`reward.best` in env.yaml), or give a threshold"
        )
    return rate.half or NEVER / rate.tasks


def _tokens(seen: StudyEpisodes) -> int:
    """Return the number of tokens of all episodes, including failed ones."""
    every = [*seen.scored.values(), *seen.failed]
    return sum(sum(tokens_of(each) or ()) for each in every)
