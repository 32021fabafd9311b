"""The reward functions of a rubric, and the exceptions that these functions raise.

Runs in the venv of Verifiers, without importing the library itself.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Iterator
from typing import Any

from audit_bounds import cut
from audit_driver import OF_A_ROLLOUT
from audit_models import ASKING, STAND_IN
from audit_watch import watched


def rubrics_of(env: Any) -> Iterator[Any]:
    """Yield all rubrics of an environment. If the environment is a group, include the members' rubrics."""
    left = [env.rubric, *(each.rubric for each in getattr(env, "envs", []))]
    while left:
        rubric = left.pop()
        yield rubric
        left += getattr(rubric, "rubrics", [])


def graders_of(rubric: Any) -> tuple[list[Any], list[float]]:
    """Return a rubric's own reward functions and their weights."""
    if hasattr(rubric, "funcs"):
        return rubric.funcs, rubric.weights
    return getattr(rubric, "reward_funcs", []), getattr(rubric, "reward_weights", [])


def watch_graders(rubric: Any) -> None:
    """Wrap the reward functions to record exceptions.

    Without the wrapper, every release of Verifiers logs an exception and scores 0.0.
    """
    functions, weights = graders_of(rubric)
    for at, func in enumerate(functions):
        if not hasattr(func, "watched"):
            functions[at] = _watched_grader(func, bool(weights[at]) if at < len(weights) else True)


def _limited(name: str) -> Any:
    """Return a context manager that limits the time that one reward function may take to score an episode."""
    each: Any = ASKING.get()
    if each is None:
        return contextlib.nullcontext()
    return watched(each.seconds / OF_A_ROLLOUT, f"the reward function {name}", each.who)


def _watched_grader(func: Any, counts: bool) -> Any:
    name = getattr(func, "__name__", repr(func))

    def note(wrong: BaseException) -> None:
        each: Any = ASKING.get()
        if each is None:
            return
        said = f"the reward function {name} raised {type(wrong).__name__}: {wrong}"
        if counts:
            each.fail(STAND_IN if each.judged else "grader", said)
        else:  # a metric decides nothing
            each.seen.setdefault("metrics_that_raised", []).append(cut(said, 500))

    def check(value: Any) -> Any:
        # Verifiers converts it with float() and swallows the error.
        if not isinstance(value, list):
            float(value)
        return value

    async def later(pending: Any) -> Any:
        try:
            return check(await pending)
        except Exception as wrong:
            note(wrong)
            raise

    @functools.wraps(func)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        try:
            with _limited(name):
                value = func(*args, **kwargs)
            return later(value) if inspect.isawaitable(value) else check(value)
        except Exception as wrong:
            note(wrong)
            raise

    vars(wrapped)["watched"] = True
    return wrapped
