"""Run all probes and surveys on the bare domain, within seconds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

from skill_tools.errors import DomainError
from skill_tools.evidence.calls import calls_of, deciding, of_each_shape, shape
from skill_tools.evidence.evidence import lead
from skill_tools.evidence.probed import Attempt, Probed
from skill_tools.evidence.surveyed import Solved
from skill_tools.evidence.trajectory import Played, Trajectory, Tried
from skill_tools.probes import answered, exploits
from skill_tools.probes.answers import blanks, wrong_answers
from skill_tools.probes.boundaries import edges
from skill_tools.probes.players.shortcuts import fixed_calls, learn
from skill_tools.probes.probe import ProbeContext, Trial, first_of_each
from skill_tools.probes.roles.role_attacks import kept_attacks, obeyed_attacks, role_trials
from skill_tools.probes.sandbox import fingerprints, snoops
from skill_tools.probes.surveys import write_surveys
from skill_tools.probes.word_lists import shipped_lists
from skill_tools.reference.playbook import Playbook, label_episode
from skill_tools.reference.process import TIME_LIMIT, Query, one, time_limit
from skill_tools.reference.replies import NO_KEY, NO_SURVEY, Loose
from skill_tools.spec.model import EnvSpec

SECONDS = 1.0
"""CPU seconds of each part's process; scaled if SKILL_TOOLS_DOMAIN_SECONDS raises the limit, which is also how long
the first trials of each probe may take then."""
SLOWLY = 10
"""Factor on a part's wall time if the domain blocks: its own CPU time is then meaningless."""
WAITS = 15
"""Factor on a part's wall time if it does not block: it might sleep."""
ALWAYS = 3
"""Number of trials of each probe that run regardless of time; one if the domain blocks."""
FEW = 5
"""Maximum tasks to vary if the domain blocks, and maximum kinds of later answers: each costs seconds."""
PER_SHAPE = 2
"""Number of tasks for each kind of later answers: a single one may be unusual."""
TRYING = 18.0
"""Seconds for exploits if programs run: they have the most trials."""
SNOOPING = 25.0
"""Seconds for reading all files and sleeping if programs run."""
EDGES = 240
"""Maximum calls at the bounds of parameters: more only repeat known forms."""


Announce = Callable[[int], object]


@dataclass(frozen=True)
class Batch:
    """Trials that run in one process. Each trial varies one of the episodes in ``ground``."""

    trials: Sequence[Trial]
    ground: ProbeContext
    limit: Mapping[str, Any]
    elsewhere: bool = False


def explore(
    spec: EnvSpec, folder: Path, playbook: Playbook, reference: Played, announce: Announce
) -> Probed | None:
    """Play sequences of calls with which a policy could exploit the environment.

    Return None if no task was solved, or if there is a screen: episodes on a screen take too long. ``announce`` is
    called with the number of sequences, before the first and before the later ones are played.
    """
    by_label = reference.get(lead(reference), {})
    solved = {k: t for k, t in by_label.items() if t.end != "failed"}
    if spec.display is not None or not solved:
        return None
    ground = ProbeContext(
        oracle=of_each_shape(solved, FEW) if spec.blocking else solved,
        played=reference,
        tools=spec.tool_rules(),
        most_calls=spec.episode.most_calls,
        top=spec.reward.range[1],
        tops=playbook.tasks.bests,
        lists=shipped_lists(spec, folder),
    )
    limit = _limit(spec, SECONDS * SLOWLY if spec.blocking else SECONDS)
    batches = _first_batches(spec, ground, limit)
    trials = {name: batch.trials for name, batch in batches.items()}
    surveys = write_surveys(spec, folder, playbook, ground, list(solved.values()), trials, limit)
    announce(_count(batches))
    found, first, unanswered = _play(spec, folder, batches, surveys)
    survey, key = found.get("survey", NO_SURVEY), found.get("answer_key", NO_KEY)
    replies = [*survey.solved, *key.solved]
    solved_too = answered.solved(spec, replies)
    first_ones = [each for each, reply in zip(solved_too, replies, strict=True) if reply.first]
    unlike = _beyond(ground, first_ones)
    more = _later_batches(spec, ground, unlike, first, limit)
    learned = learn(ground, fixed_calls(ground), found.get("shortcut", []), spec.name)
    more |= {"shortcuts": Batch(learned.trials, ground, limit)} if learned.trials else {}
    announce(_count(more))
    _, later, stuck = _play(spec, folder, more, {})
    attempts = [*kept_attacks(first), *later, *(_loose(spec, each) for each in key.loose)]
    attempts.sort(key=attrgetter("probe"))
    return Probed(
        attempts={name: list(group) for name, group in groupby(attempts, attrgetter("probe"))},
        opened=survey.opened,
        read=frozenset(survey.read),
        solved=solved_too,
        reseeded=answered.solved(spec, found.get("seeds", [])),
        endured=found.get("soak"),
        unanswered=unanswered | stuck,
        answered=frozenset(found),
        untimed=frozenset(
            trial.probe for batch in (*batches.values(), *more.values()) for trial in batch.trials
        ).difference({each.probe for each in attempts}, unanswered, stuck),
        sizes=survey.sizes,
        undealt=survey.undealt,
        mutated=survey.mutated,
        unlike=unlike.oracle,
        wandered=[answered.wandered(spec, each) for each in found.get("random_play", [])],
        unbroken=found.get("lost_sandbox"),
        asked=found.get("status", ""),
        unlearned=learned.why,
        unreached=found.get("coverage"),
        chance=answered.dealt(spec, found.get("chance")),
    )


def _count(batches: Mapping[str, Batch]) -> int:
    return sum(len(batch.trials) for batch in batches.values())


def _first_batches(
    spec: EnvSpec, ground: ProbeContext, limit: Mapping[str, Any]
) -> dict[str, Batch]:
    batches = {
        "trials": Batch(list(exploits.all_trials(ground)), ground, limit),
        "edges": Batch(edges(ground, EDGES), ground, limit),
    }
    if spec.models:
        batches["models"] = Batch(list(role_trials(spec, ground)), ground, limit)
    if spec.backend == "none":
        return batches
    batches["trials"] = replace(batches["trials"], limit=_limit(spec, TRYING))
    snooped = list(snoops(ground, spec.prompt.system))
    return batches | {"snoops": Batch(snooped, ground, _limit(spec, SNOOPING))}


def _limit(spec: EnvSpec, seconds: float) -> dict[str, float]:
    """Return the limits of CPU time and wall time for one batch of trials or one survey.

    If the domain blocks, the wall time decides, because the domain waits for other processes.
    """
    limit = time_limit()
    seconds *= max(1.0, limit / TIME_LIMIT)
    # A few percent of a limit that is set for slow episodes may be less than one episode takes.
    required = limit if limit > TIME_LIMIT else 0.0
    wall = seconds * (1 if spec.blocking else WAITS)
    return {"seconds": seconds, "wall": wall, "required": required}


def _later_batches(
    spec: EnvSpec,
    ground: ProbeContext,
    unlike: ProbeContext,
    attempts: Sequence[Attempt],
    limit: Mapping[str, Any],
) -> dict[str, Batch]:
    """Return further batches, whose trials vary the attempts of the first batches."""
    shown = [each.trajectory for each in attempts]
    after = (
        *(exploits.late, exploits.removed_refusals, exploits.inserted_refusals),
        exploits.refused_elsewhere,
    )
    refusals = [trial for several in after for trial in several(ground, shown)]
    batches = {"refusals": Batch(refusals, ground, limit)}
    if obeyed := list(obeyed_attacks(spec, attempts)):
        batches["obeyed"] = Batch(obeyed, ground, limit)
    if unlike.oracle:
        batches["unlike"] = Batch([*wrong_answers(unlike), *blanks(unlike)], unlike, limit)
    if spec.backend != "none":
        files = list(fingerprints(ground))
        batches["files"] = Batch(files, ground, limit)
        batches["files elsewhere"] = Batch(files, ground, limit, elsewhere=True)
    return batches


def _play(
    spec: EnvSpec, folder: Path, batches: Mapping[str, Batch], surveys: Mapping[str, Query]
) -> tuple[dict[str, Any], list[Attempt], dict[str, str]]:
    """Play batches of trials and run surveys, two at a time.

    Return the results of the surveys, the attempts, and the reason for each probe without a result.
    """
    asked: dict[str, Callable[[], Any]] = {
        **{name: partial(one, spec, folder, query) for name, query in surveys.items()},
        **{name: partial(_try, spec, folder, name, batch) for name, batch in batches.items()},
    }
    found, broken = _ask_all(asked)
    attempts = {name: found.pop(name) for name in batches if name in found}
    if "files elsewhere" in attempts:
        attempts["files"] = _compare(attempts.get("files", []), attempts.pop("files elsewhere"))
    unanswered = {name: cause for name, cause in broken.items() if name in surveys}
    for name in broken.keys() & batches.keys():
        unanswered |= {trial.probe: broken[name] for trial in batches[name].trials}
    return found, [each for several in attempts.values() for each in several], unanswered


def _compare(here: Sequence[Attempt], there: Sequence[Attempt]) -> list[Attempt]:
    """Pair each attempt with the attempt that played the same trial under other conditions."""
    return [
        replace(one, compared=other.trajectory)
        for one, other in zip(here, there, strict=False)
        if one.of == other.of
    ]


def _beyond(ground: ProbeContext, several: Sequence[Solved]) -> ProbeContext:
    """Return a context for trials on further tasks whose deciding calls have a new form, such as a date."""
    tops = {e.shown.label: e.best for e in several if e.shown and e.best is not None}
    return replace(ground, oracle=_unlike(ground, several), played={}, tops=tops)


def _unlike(ground: ProbeContext, several: Sequence[Solved]) -> dict[str, Trajectory]:
    """Return the oracle's episodes on further tasks whose deciding call has a new form, such as a date."""
    known = {shape(each) for each in ground.oracle.values()}
    found: dict[str, list[Trajectory]] = {}
    for each in several:
        if each.shown is None or each.total is None:
            continue
        form = shape(each.shown)
        if form not in known and len(found.setdefault(form, [])) < PER_SHAPE:
            found[form].append(each.shown)
    some = [each for several in list(found.values())[:FEW] for each in several]
    return {each.label: each for each in some}


def _loose(spec: EnvSpec, found: Loose) -> Attempt:
    """Return the attempt with a wrong answer that one task rewarded and nearly all other tasks did not."""
    label = label_episode(spec, found.split, found.index, found.seed)
    what = "a wrong answer"
    return _as_attempt(Trial("loose", what, label, found.split, found.index, []), found.played)


def _ask_all(asked: dict[str, Callable[[], Any]]) -> tuple[dict[str, Any], dict[str, str]]:
    """Run all queries, two at a time. Return the results, and the reason for each query without a result."""
    found, broken = {}, {}
    with ThreadPoolExecutor(2) as pool:
        jobs = {name: pool.submit(copy_context().run, ask) for name, ask in asked.items()}
        for name, job in jobs.items():
            try:
                found[name] = job.result()
            except DomainError as error:
                broken[name] = str(error)
    return found, broken


def _try(spec: EnvSpec, folder: Path, name: str, batch: Batch) -> list[Attempt]:
    """Play a batch of trials in its own process, and return the attempts that finished."""
    trials, floor = first_of_each(batch.trials, 1 if spec.blocking else ALWAYS)
    asked = [
        {
            "split": t.split,
            "index": t.index,
            "seed": None,
            "calls": t.calls,
            "roles": t.roles,
            "then": [calls_of(of)[deciding(of)]]
            if (of := batch.ground.oracle.get(t.of)) and calls_of(of)
            else [],
        }
        for t in trials
    ]
    limits = {"max_turns": spec.episode.max_turns, "limit": {**batch.limit, "floor": floor}}
    query = Query("try", f"trying {name}", {"trials": asked, **limits})
    records = one(spec, folder, query, elsewhere=batch.elsewhere)
    return [_as_attempt(t, r) for t, r in zip(trials, records, strict=True) if r is not None]


def _as_attempt(trial: Trial, record: Tried) -> Attempt:
    place = {"model": trial.probe, "label": trial.of, "split": trial.split, "index": trial.index}
    return Attempt(
        trial.probe,
        trial.words,
        trial.of,
        record.trajectory(**place),
        trial.change,
        record.slowest,
        trial.compared,
        record.after,
    )
