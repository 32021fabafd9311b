"""Turn a study's evidence into a study with curves, findings, advice and the verdict.

The verdict says whether REINFORCE, with a group's mean as its baseline, learns from random play:

- ``too easy``: random play already gets most of the reward, so that little is left to learn.
- ``flat``: the oracle hardly beats random play, or the return does not rise with skill, so that a
  gradient does not follow skill.
- ``hard to start``: the return rises with skill, but hardly any of a random player's groups have
  variance. If all samples of a task have the same return, there is no gradient to begin with. A
  model that beats random play may still start; ``signal_from`` is the lowest skill level with a signal.
- ``teachable``: the return rises with skill, and enough of a random player's groups have variance.
"""

from __future__ import annotations

from collections import defaultdict
from statistics import fmean

from skill_tools import checks
from skill_tools.checks.reading.skill import START, Learning, read_study, signal_of, varied
from skill_tools.checks.rules.learnability.skills import bound_of
from skill_tools.errors import DomainError
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.studied import Studied, StudyScope
from skill_tools.learnability.advice import advise
from skill_tools.learnability.model import Study, TaskRow, Verdict

GOES_ON = {
    "solve": "after a random call the oracle continues with its list of calls: "
    "solve() cannot know what the random call changed; a next_call() next to it could",
    "next_call": "after a random call the oracle continues from the present state: next_call() sees all "
    "calls and observations",
}
"""Descriptions of how the oracle continues after a random call, by the method that it uses."""
DRAWN = {
    "valid_calls": "drawn from the valid_calls() of the domain",
    "schemas": "drawn from the tools' schemas and samples",
}
"""Descriptions of where random calls come from."""


def make_study(evidence: Evidence) -> Study:
    """Return a study made from the evidence. Raises DomainError if at some skill level no episode has a return."""
    seen, studied = read_study(evidence), evidence.studied
    if seen is None or studied is None:
        climbed = studied.climbed if studied else []
        failure = next((each.failure for each in climbed if each.failure), "no time was left")
        raise DomainError(
            f"too few episodes have a return for a study: {failure}\n"
            "    fix: allow more time with --seconds, or make `skill-tools check --play` green first"
        )
    verdict, because = judge_curves(seen)
    signal = signal_of(seen.whole)
    return Study(
        **{name: getattr(studied, name) for name in StudyScope.model_fields},
        tasks=len(studied.tasks),
        episodes=len(studied.climbed) + len(studied.lazed),
        seconds=round(studied.seconds, 1),
        how_oracle_goes_on=GOES_ON[studied.goes_on],
        drawn=DRAWN[studied.drawn],
        curves=list(seen.curves),
        lazy=list(seen.lazy),
        by_task=list_tasks(studied),
        bound=bound_of(evidence),
        signal_from=signal.epsilon if signal else None,
        findings=checks.run(evidence),
        advice=advise(seen, verdict),
        verdict=verdict,
        because=because,
    )


def judge_curves(seen: Learning) -> tuple[Verdict, str]:
    """Return the verdict, and a sentence with the numbers that led to the verdict."""
    whole, worst = seen.whole, seen.whole.random
    means = f"the oracle earns {whole.oracle.mean:.3f}, random play {worst.mean:.3f}"
    if seen.is_easy(whole):
        return "too easy", means
    if seen.is_flat(whole):
        return "flat", f"{means}; rank correlation of return and skill {whole.rank:.2f}"
    groups = (
        f"{varied(worst):.0%} of a random player's groups of {seen.studied.samples} have variance"
    )
    if varied(worst) >= START:
        return "teachable", f"{means}, and {groups}"
    signal = signal_of(whole)
    other = (
        f"; with {signal.epsilon:.0%} random calls, {varied(signal):.0%} have variance"
        if signal
        else ""
    )
    return "hard to start", f"{means}, but {groups}{other}"


def list_tasks(studied: Studied) -> list[TaskRow]:
    """Return the mean return of each task at each skill level."""
    found = []
    for task in studied.tasks:
        by_rung: dict[float, list[float]] = defaultdict(list)
        for each in studied.climbed:
            if each.index == task.index and each.epsilon is not None and each.total is not None:
                by_rung[each.epsilon].append(each.total)
        means = [fmean(by_rung[epsilon]) for epsilon in sorted(by_rung)]
        name = f"{studied.split}/{task.index}"
        found.append(TaskRow(task=name, level=task.level, top=task.top, means=means))
    return found
