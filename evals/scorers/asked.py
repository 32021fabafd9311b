"""The scorer for the requested parts: a variant for each framework, and the named tools."""

from __future__ import annotations

from evals.attempt import Attempt
from evals.case import Case
from evals.expectation import Expectation


def score(case: Case, attempt: Attempt) -> list[Expectation]:
    """For each framework, return an expectation for its variant and an expectation for the named tools."""
    expected = []
    for framework in attempt.frameworks:
        there = framework in attempt.found
        missing = f"no file with a {framework} environment was found below the folder"
        expected.append(_one("variant", framework, there, missing))
        if case.asks.tools:
            tools = attempt.tools.get(framework)
            lack = sorted(set(case.asks.tools) - set(tools or ()))
            # A framework in which tools are called in text lists none: behaviour decides there.
            held = None if there and tools == [] else not lack
            shown = ", ".join(tools or ()) or "none"
            expected.append(
                _one("tools", framework, held, f"lacks {', '.join(lack)}; its tools are: {shown}")
            )
    return expected


def _one(name: str, framework: str, held: bool | None, found: str) -> Expectation:
    return Expectation(
        scorer="asked", name=name, framework=framework, held=held, found="" if held else found
    )
