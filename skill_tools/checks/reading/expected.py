"""Compare the results of an example's calls with the expected results."""

from __future__ import annotations

from math import isclose

from rl_env_harness.blocks import said

from skill_tools.evidence.calls import show_calls
from skill_tools.evidence.trajectory import Step, Trajectory
from skill_tools.spec.examples import Example, ExpectedCall


def differs(example: Example, played: Trajectory) -> tuple[str, str]:
    """Return the first difference between an episode and the example, and the tool of the differing call.

    Each of these two texts may be "".
    """
    if played.failure:
        return f"was not played: {played.failure.message}", ""
    if _flat(example.opening) not in _flat(played.opening):
        told = [m for m in played.prompt if m["role"] != "system"] or played.prompt
        shown = "\n".join(said(message, "[an image]") for message in told)  # differs by task
        return f"the opening should show {example.opening!r}; it is:\n{shown[:1200]}", ""
    made = example.made
    for (number, expected), step in zip(made, played.steps, strict=False):
        if wrong := _step_differs(expected, step):
            call = show_calls([(expected.tool, expected.arguments)])
            return f"call {number}, {call}: {wrong}", expected.tool
    if len(played.steps) < len(made):
        last = made[len(played.steps) - 1][0] if played.steps else "0"
        return (
            f"the episode was over after call {last} of {len(example.calls)}: write `done: true` "
            "on the call that ends it, even if the turn limit does; the calls that follow are "
            "then calls after the end"
        ), ""
    if example.returns is not None and not _equal(played.total, example.returns):
        return f"the return should be {example.returns:g}; it was {played.total}", ""
    return "", ""


def _step_differs(expected: ExpectedCall, step: Step) -> str:
    if expected.refused != (step.error is not None):
        wanted = "refused" if expected.refused else "accepted"
        return f"should be {wanted}; the reply was: {step.text[:300]!r}"
    if _flat(expected.shows) not in _flat(step.text):
        return f"should show {expected.shows!r}; it showed {step.text[:600]!r}"
    if expected.hides and _flat(expected.hides) in _flat(step.text):
        return f"should not show {expected.hides!r}; it showed {step.text[:600]!r}"
    if expected.reward is not None and not _equal(step.reward, expected.reward):
        return f"should earn {expected.reward:g}; it earned {step.reward:g}"
    if expected.done is not None and expected.done != step.done:
        return f"should {'' if expected.done else 'not '}end the episode"
    return ""


def _equal(found: float | None, expected: float) -> bool:
    return found is not None and isclose(found, expected, abs_tol=1e-6)


def _flat(text: str) -> str:
    return " ".join(text.split())
