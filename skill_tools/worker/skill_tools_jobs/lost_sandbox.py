"""Ends an episode's sandbox behind its back; runs in the child.

It imports the standard library, never the package around it.
"""

from __future__ import annotations

import contextlib
import importlib

from skill_tools_jobs.episodes import open_episode

RUNS = ("run_code", "run_command")
"""Methods of a session that run what the agent wrote."""


def break_session(
    request: dict, split: str, script: list, max_turns: int, **_: float
) -> dict | None:
    """Play a script whose sandbox is gone; the first call that used it and was answered all the same, or None.

    script: the place of a task, and the oracle's calls.
    """
    opened, tried = [], []
    sandbox = importlib.import_module("rl_env_sandbox")
    open_sandbox = sandbox.open_sandbox

    def watched(*given, **named):
        opened.append(open_sandbox(*given, **named))
        return opened[-1]

    sandbox.open_sandbox = watched  # the domain, which was not imported yet, takes this one
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


def _note(session, name: str, tried: list) -> None:
    """Have a session note that it was asked to run something."""
    run = getattr(session, name, None)

    def noted(*given, **named):
        tried.append(name)
        return run(*given, **named)

    if run is not None:
        setattr(session, name, noted)


def _answer(step: dict) -> dict:
    said = " ".join(block.get("text", "") for block in step["observation"])
    return {"tool": step["tool"], "error": step["error"], "said": said[:200]}


JOBS = {"break_session": break_session}
