"""The scorer for triggers: whether a sentence loads the expected skill, or loads no skill if none is expected."""

from __future__ import annotations

from evals.attempt import Attempt
from evals.case import Case
from evals.expectation import Expectation


def score(case: Case, attempt: Attempt) -> list[Expectation]:
    """Return one expectation per sentence. An expectation is lost if the agent never got its sentence.

    The attempt is unscored if the agent has none of our skills.
    """
    if attempt.loaded is None:
        why = "the agent has none of our skills to load"
        return [Expectation(scorer="trigger", name="all", held=None, found=why)]
    expected = []
    for sentence in case.sentences:
        was_loaded = sentence.says in attempt.loaded
        loaded = attempt.loaded.get(sentence.says)
        held = was_loaded and loaded == sentence.skill
        found = f"loaded {loaded or 'none'}, not {sentence.skill or 'none'}"
        expected.append(
            Expectation(
                scorer="trigger",
                name=sentence.says,
                held=held,
                found="" if held else (found if was_loaded else "it was never said"),
            )
        )
    return expected
