"""Ends an episode's sandbox without its knowledge; runs in the child."""

from __future__ import annotations

import contextlib
import importlib
from typing import Any

from skill_tools_jobs import Calls, Json, Request
from skill_tools_jobs.episodes import open_episode

RUNS = ("run_code", "run_command")
"""Methods of a session that run the agent's programs."""


def break_session(
    request: Request, split: str, script: tuple[int, Calls], max_turns: int, **_: float
) -> Json | None:
    """Play a script without its sandbox; the first call that used it and still succeeded, if any.

    ``script`` has the place of a task, and the oracle's calls.
    """
    opened, tried = list[Any](), list[str]()
    sandbox: Any = importlib.import_module("rl_env_sandbox")
    open_sandbox = sandbox.open_sandbox

    def watched(*given: Any, **named: Any) -> Any:
        opened.append(open_sandbox(*given, **named))
        return opened[-1]

    sandbox.open_sandbox = watched  # the domain, not yet imported, uses this one
    place, calls = script
    world = open_episode(request, split, place, None, max_turns)
    try:
        for session in opened:
            session.close()
            for name in RUNS:
                _note(session, name, tried)
        for tool, arguments in calls:
            if world.over:
                break
            with contextlib.suppress(RuntimeError):  # it failed, as it should
                world.call(tool, arguments)
            if tried:
                return None if world.failure else _answer(world.steps[-1])
    finally:
        world.close()
    return None


def _note(session: Any, name: str, tried: list[str]) -> None:
    """Make a session record each request to run something."""
    if (run := getattr(session, name, None)) is None:
        return

    def noted(*given: Any, **named: Any) -> Any:
        tried.append(name)
        return run(*given, **named)

    setattr(session, name, noted)


def _answer(step: Json) -> Json:
    said = " ".join(block.get("text", "") for block in step["observation"])
    return {"tool": step["tool"], "error": step["error"], "said": said[:200]}


JOBS = {"break_session": break_session}
