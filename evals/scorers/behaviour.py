"""The scorer for hidden episodes: an environment must behave as the description says."""

from __future__ import annotations

from evals.attempt import Attempt
from evals.case import Case
from evals.expectation import Expectation


def score(case: Case, attempt: Attempt) -> list[Expectation]:
    """Return one expectation per framework, episode and name. An expectation that was never played is lost."""
    outcomes = {(each.framework, each.episode): each.outcomes for each in attempt.played}
    expected = []
    for framework in attempt.frameworks:
        problem = attempt.problems.get(framework, "there is no variant to play")
        for episode in case.episodes:
            got = outcomes.get((framework, episode.name), {})
            for name in episode.names:
                held, found = got.get(name, (False, problem))
                expected.append(
                    Expectation(
                        scorer="behaviour",
                        name=name,
                        framework=framework,
                        held=held,
                        found=found[-1500:],
                        episode=episode.name,
                    )
                )
    return expected
