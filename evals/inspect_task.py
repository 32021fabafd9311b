"""The evals as Inspect tasks: one task per solver, whose samples are the cases.

Inspect provides epochs, parallel samples, retries, logs and resuming. Building, playing and scoring are our
own code and run in threads, because they wait for other processes.
"""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import get_model
from inspect_ai.scorer import Score, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState, solver

from evals import attempt, judge, scorers
from evals.case import Case
from evals.expectation import Expectation, Mark, combined, mark
from evals.solvers.outcome import Build, Built

Say = Callable[[str], None]


def task(
    name: str,
    builds: Mapping[str, tuple[Case, Build]],
    work: Path,
    epochs: int,
    say: Say,
    judged_by: str | None = None,
) -> Task:
    """Return a task with the name of its solver.

    Args:
        builds: For each sample id, the case and the function that builds its solution.
        judged_by: An Inspect model that gives its opinion, which is not part of the score.
    """
    samples = [
        Sample(id=sample, input=case.prompt or case.name, metadata={"case": case.name})
        for sample, (case, _) in builds.items()
    ]
    names = [
        *dict.fromkeys(n for case, _ in builds.values() for n in scorers.KINDS[case.asks.kind])
    ]
    return Task(
        name=name,
        dataset=MemoryDataset(samples, name=name),
        solver=built_and_played(name, builds, work / name, say),
        scorer=[*map(_one, names), *([readable(judged_by)] if judged_by else []), score()],
        epochs=epochs,
    )


@solver
def built_and_played(
    name: str, builds: Mapping[str, tuple[Case, Build]], work: Path, say: Say
) -> Any:
    """Build a solution in a fresh folder, play the hidden episodes on a copy, and record the expectations that held."""

    def run(sample: str, epoch: int) -> dict[str, Any]:
        case, build = builds[sample]
        folder = work / f"{sample.replace('/', '-')}-{epoch}"
        shutil.rmtree(folder, ignore_errors=True)
        workspace = folder / "workspace"
        workspace.mkdir(parents=True)
        started = time.monotonic()
        # What this machine cannot play is not built either: an agent would cost for no score.
        made = Built() if case.missing else build(case, workspace)
        seconds = time.monotonic() - started
        graded = attempt.copied(workspace, folder / "graded")
        tried = attempt.play(case, graded, made.frameworks, folder / "playing")
        tried.said, tried.loaded = made.said, made.loaded
        tried.effort = {"seconds": round(seconds, 1), **made.effort, **authored(case, graded)}
        expected = scorers.expectations(case, tried)
        shutil.rmtree(folder / "playing", ignore_errors=True)
        got = combined(expected)
        scored = got.explanation if got.value is None else f"{got.value:.2f}"
        about = f"{name}: {sample}" + (f" #{epoch}" if epoch > 1 else "")
        say(f"{scored}  {about}, {time.monotonic() - started:.0f} s")
        return {
            "expectations": [each.model_dump() for each in expected],
            "attempt": tried.model_dump(),
            "transcript": made.transcript,
        }

    async def solve(state: TaskState, generate: Any) -> TaskState:
        found = await asyncio.to_thread(run, str(state.sample_id), state.epoch)
        state.metadata.update(found)
        state.completed = True
        return state

    return solve


def authored(case: Case, folder: Path) -> dict[str, int]:
    """Return the number of handwritten lines and of all lines in a solver's files."""
    from evals.scorers.lines import count

    return count(folder, case.asks.given.values())


@scorer(metrics=[mean(), stderr()], name="score")
def score() -> Any:
    """Return a scorer that combines all scorers by weight, and keeps the data that the report shows."""

    async def graded(state: TaskState, target: Target) -> Score:
        found = [Expectation(**each) for each in state.metadata["expectations"]]
        return _as_score(combined(found), found)

    return graded


@scorer(metrics=[mean(), stderr()], name="readable")
def readable(model: str) -> Any:
    """Return a scorer that gives a model's opinion of one episode.

    The sample is unscored if no episode was played to its end, or if the model gave no grade.
    """

    async def graded(state: TaskState, target: Target) -> Score:
        asked = judge.question(state.metadata["attempt"]["played"])
        if not asked:
            return Score.unscored(explanation="no episode was played to its end")
        answer = (await get_model(model).generate(asked)).completion
        value = judge.grade(answer)
        if value is None:
            return Score.unscored(explanation=f"no grade: {answer[:500]}")
        return Score(value=value, explanation=answer)

    return graded


def _one(name: str) -> Any:
    @scorer(metrics=[mean(), stderr()], name=name)
    def single() -> Any:
        async def graded(state: TaskState, target: Target) -> Score:
            found = [Expectation(**each) for each in state.metadata["expectations"]]
            mine = [each for each in found if each.scorer == name]
            return _as_score(mark(mine), mine)

        return graded

    return single()


def _as_score(got: Mark, found: list[Expectation]) -> Score:
    about = {"lost": [each.key for each in found if each.held is False]}
    if got.value is None:
        return Score.unscored(explanation=got.explanation, metadata=about)
    return Score(value=got.value, explanation=got.explanation, metadata=about)
