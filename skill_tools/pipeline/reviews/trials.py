"""Play the experiments of claims, and judge the results, regardless of a claim's text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from skill_tools.evidence.grading.graded import CLOSE, HALF
from skill_tools.evidence.grading.reviewed import Outcome, PlayedExperiment, ReviewedClaim
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.pipeline.reviews.stages import ExperimentRun, Seen, Stage
from skill_tools.spec.readers.claims import Acts, Claim, Experiment, first_acts

REPEATS = 3
"""Number of plays in one process that test whether a reward depends on repetition."""
TELLING_LINES = 5
"""Number of lines of a protected file to look for in the shown texts."""
LEAST_CHARACTERS = 12
"""Minimum characters of a protected line: a shorter line may be shown by chance."""
LONGEST_SHOWN = 160
"""Characters of a reply in a message."""
DESERVES = "Which reward does this deserve: everything, part, nothing, or unclear?"
COMPARE = "Which one deserves more: first, second, same, or unclear?"
PROMISED = "Which reward, as a number, does the text promise for this? (or unclear)"
ALLOWED = "May the agent see these words at this point: allowed, not allowed, or unclear?"
COMPATIBLE = "Can all of these rows be right: compatible, contradictory, or unclear?"
SEEDED = "May the result depend on the seed here: allowed, not allowed, or unclear?"
QUESTIONS = {
    "earn-top": DESERVES,
    "earn-nothing": DESERVES,
    "earn": PROMISED,
    "earn-same": COMPARE,
    "earn-more": COMPARE,
    "agree": COMPATIBLE,
    "not-read": ALLOWED,
    "not-show": ALLOWED,
}
"""Questions for a second reader. Claims that a circumstance must not change a reward need no second reader."""
MANY_DIGITS = re.compile(r"\d{1000}")
"""Matches a number that no model writes unless it is made to."""
Pair = tuple[Seen, Seen]
"""An episode, and its repetition in another process, which played all episodes in reverse order."""


def play_claims(stage: Stage, claims: Sequence[Claim]) -> tuple[ReviewedClaim, ...]:
    """Play the experiments of all claims, each twice in fresh processes, and return the claims with results."""
    every = [experiment for claim in claims for experiment in claim.experiments]
    plain = [
        e
        for e in every
        if e.must not in ("not-depend", "agree") and (e.there or e.must == "not-show")
    ]
    runs = [ExperimentRun(acts) for each in plain for acts in first_acts(each)]
    varied = [each for each in every if each.must == "not-depend"]
    rounds = [runs, runs[::-1], *(part for each in varied for part in _varied(each))]
    played = stage.play(rounds) if runs or varied else [[], []]
    pairs = iter(list(zip(played[0], played[1][::-1], strict=True)))
    alone: dict[str, list[Pair]] = {
        each.id: [next(pairs) for _ in first_acts(each)] for each in plain
    }
    others = iter(played[2:])
    apart = {each.id: (next(others)[-1], next(others)) for each in varied}
    return tuple(
        ReviewedClaim(
            number,
            claim.cause,
            claim.place,
            tuple(_trial(stage, each, alone, apart) for each in claim.experiments),
        )
        for number, claim in enumerate(claims, 1)
    )


def _varied(experiment: Experiment) -> Iterator[list[ExperimentRun]]:
    """Yield two rounds: the first plays an experiment plainly, the second changes the experiment's circumstance."""
    main, others = ExperimentRun(experiment), tuple(experiment.others)
    yield [main]
    yield {
        "order": [*(ExperimentRun(each) for each in others), main],
        "batch": [ExperimentRun(experiment, batch=others)],
        "thread": [ExperimentRun(experiment, crowd=others, thread=True)],
        "repetition": [main] * REPEATS,
        "seed": [ExperimentRun(experiment, seeds=1)],
    }[experiment.circumstance or "repetition"]


def _trial(
    stage: Stage,
    experiment: Experiment,
    alone: Mapping[str, list[Pair]],
    apart: Mapping[str, tuple[Seen, list[Seen]]],
) -> PlayedExperiment:
    must = experiment.must
    if must == "agree":
        return _agree(stage, experiment)
    several = (
        [apart[experiment.id][0], *apart[experiment.id][1]]
        if must == "not-depend"
        else [each for pair in alone[experiment.id] for each in pair]
    )
    if why := next((each for each in several if isinstance(each, str)), ""):
        return PlayedExperiment(experiment.id, _must(experiment, stage), "not run", why)
    episodes = [each for each in several if isinstance(each, Trajectory)]
    if must == "not-depend":
        return _circumstance(stage, experiment, episodes)
    if must in ("not-read", "not-show"):
        return _hidden(stage, experiment, episodes[0])
    return _earned(stage, experiment, episodes)


def _earned(
    stage: Stage, experiment: Experiment, episodes: Sequence[Trajectory]
) -> PlayedExperiment:
    """Return the result of an experiment about rewards, in which each action was played twice."""
    first = episodes[0]
    must, question = _must(experiment, stage), QUESTIONS[experiment.must]
    what = _words(experiment)
    if broken := next((each for each in episodes if each.total is None), None):
        seen = f"{what} has no score: {_why(broken)}"
        # A second reader says how common such a reply is.
        asked = question if MANY_DIGITS.search(experiment.reply or "") else ""
        return PlayedExperiment(experiment.id, must, "violated", seen, broken, asked)
    for one, other in zip(episodes[::2], episodes[1::2], strict=True):
        if abs((one.total or 0.0) - (other.total or 0.0)) > CLOSE:
            seen = f"{what} earns {one.total:g} when played in one order and {other.total:g} in another"
            return PlayedExperiment(experiment.id, must, "unsteady", seen, one)
    earned = first.total or 0.0
    span = max(stage.top - stage.nothing, CLOSE)
    seen = f"{what} earns {earned:g}"
    outcome: Outcome
    if experiment.must == "earn-top":
        outcome = _graded((stage.top - earned) / span)
    elif experiment.must == "earn-nothing":
        outcome = _graded((earned - stage.nothing) / span)
    elif experiment.must == "earn":
        outcome = _graded(abs(earned - (experiment.reward or 0.0)) / span, gravest=0.0)
    else:
        second = episodes[2].total or 0.0
        acts = experiment.compared or experiment
        seen += f", and {_words(acts, experiment.task or '')} earns {second:g}"
        far = abs(earned - second) / span
        more: Outcome = "violated" if earned <= second + CLOSE else "holds"
        outcome = more if experiment.must == "earn-more" else _graded(far)
    compared = episodes[2] if experiment.compared else None
    return PlayedExperiment(experiment.id, must, outcome, seen, first, question, compared)


def _graded(share: float, gravest: float = HALF) -> Outcome:
    """Return the outcome for a reward that is wrong by a given share of the maximum reward."""
    if share <= CLOSE:
        return "holds"
    return "violated" if share >= gravest - CLOSE else "partly"


def _circumstance(
    stage: Stage, experiment: Experiment, episodes: Sequence[Trajectory]
) -> PlayedExperiment:
    plain, varied = episodes[0], episodes[1:]
    own = varied if experiment.circumstance == "repetition" else varied[-1:]
    results = [_earns(plain), *(_earns(each) for each in own)]
    seen = f"{_words(experiment)} {results[0]} alone"
    changed = next((each for each in own if _result(each) != _result(plain)), None)
    how = {
        "order": "after others",
        "batch": "in a batch with other replies",
        "thread": "on another thread",
        "repetition": "when repeated",
        "seed": "with another seed",
    }[experiment.circumstance or "repetition"]
    if changed is None:
        return PlayedExperiment(
            experiment.id, _must(experiment, stage), "holds", f"{seen} and {how}", plain
        )
    now = _earns(changed)
    seen += f", and {now if now != results[0] else 'shows something else'} {how}"
    question = SEEDED if experiment.circumstance == "seed" else ""
    return PlayedExperiment(
        experiment.id, _must(experiment, stage), "violated", seen, changed, question
    )


def _result(played: Trajectory) -> Any:
    steps = [(s.observation, round(s.reward, 9), s.done, s.error) for s in played.steps]
    paid = None if played.total is None else round(played.total, 9)
    return paid, played.failure and played.failure.kind, steps


def _hidden(stage: Stage, experiment: Experiment, played: Trajectory) -> PlayedExperiment:
    """Check whether an episode shows a forbidden text or lines of a protected file, and return the result."""
    shown = _flat(
        "\n".join(
            [*(str(m.get("content", "")) for m in played.prompt), *(s.text for s in played.steps)]
        )
    )
    must, question = _must(experiment, stage), QUESTIONS[experiment.must]
    if experiment.must == "not-show":
        there = _flat(experiment.text) in shown
        seen = f"task {experiment.task} {'shows' if there else 'does not show'} {experiment.text!r}"
        outcome: Outcome = "violated" if there else "holds"
        return PlayedExperiment(experiment.id, must, outcome, seen, played, question)
    lines = _telling_lines(stage.folder, experiment.file)
    if not lines:
        why = f"{experiment.file} is missing, or has no line of {LEAST_CHARACTERS} characters"
        return PlayedExperiment(experiment.id, must, "not run", why)
    found = [line for line in lines if _flat(line) in shown]
    seen = f"{_words(experiment)} shows {len(found)} of {len(lines)} lines of {experiment.file}"
    return PlayedExperiment(
        experiment.id, must, "violated" if found else "holds", seen, played, question
    )


def _telling_lines(folder: Path, name: str) -> list[str]:
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()) or not path.is_file():
        return []
    lines = (line.strip() for line in path.read_text("utf-8", "replace").splitlines())
    return [line for line in lines if len(line) >= LEAST_CHARACTERS][:TELLING_LINES]


def _agree(stage: Stage, experiment: Experiment) -> PlayedExperiment:
    """Compare rows that have the same values in some columns and should therefore agree in another column."""
    must, rows = _must(experiment, stage), [stage.row(name) for name in experiment.rows]
    names = " and ".join(f"row {name}" for name in experiment.rows)
    columns = [*experiment.same, experiment.differ]
    for name, row in zip(experiment.rows, rows, strict=True):
        missing = "it" if row is None else next((c for c in columns if c not in row), "")
        if missing:
            what = (
                "the data has no row" if row is None else f"there is no column {missing!r} in row"
            )
            return PlayedExperiment(experiment.id, must, "not run", f"{what} {name}")
    known = [row for row in rows if row is not None]
    for column in experiment.same:
        if len({_flat(str(row[column])) for row in known}) > 1:
            return PlayedExperiment(experiment.id, must, "holds", f"{names} differ in {column}")
    values = [str(row[experiment.differ])[:LONGEST_SHOWN] for row in known]
    seen = f"in {names}, {experiment.differ} is {' and '.join(map(repr, values))}"
    same = len({_flat(value) for value in values}) == 1
    return PlayedExperiment(
        experiment.id, must, "holds" if same else "violated", seen, None, COMPATIBLE
    )


def _must(experiment: Experiment, stage: Stage) -> str:
    """Return a clause with the requirement of an experiment."""
    return {
        "earn-top": f"the expected return is {stage.top:g}",
        "earn-nothing": f"the expected return is {stage.nothing:g}",
        "earn": f"the expected return is {experiment.reward or 0:g}",
        "earn-same": "both must earn the same",
        "earn-more": "the first must earn more",
        "not-depend": f"its result must not depend on {experiment.circumstance}",
        "agree": f"the rows must agree in {experiment.differ}",
        "not-read": f"{experiment.file} must not be shown",
        "not-show": "the words must not be shown",
    }[experiment.must]


def _words(acts: Acts, task: str = "") -> str:
    """Return a description of the actions that were played."""
    calls = [f"{each.tool}{json.dumps(each.arguments, ensure_ascii=False)}" for each in acts.calls]
    what = [_cut(", ".join(calls))] if calls else []
    if acts.reply is not None:
        what.append(f"the reply {_cut(acts.reply)!r}")
    return f"on task {acts.task or task}, {' and '.join(what) or 'the opening'}"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def _earns(played: Trajectory) -> str:
    return f"has no score ({_why(played)})" if played.total is None else f"earns {played.total:g}"


def _why(played: Trajectory) -> str:
    failure = played.failure
    return f"{failure.kind}: {failure.message}"[:300] if failure else "the episode failed"


def _flat(text: str) -> str:
    return " ".join(text.split())
