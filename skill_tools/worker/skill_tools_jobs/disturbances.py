"""Replay scripts with one disturbance: additional status() calls, or a sandbox that has ended; runs in the
child process.
"""

from __future__ import annotations

import contextlib
import importlib
from typing import Any

from skill_tools_jobs import Calls, Json, Request
from skill_tools_jobs.episodes import open_episode, record

AGAIN = 3
"""Number of additional status() calls before each call."""
RUNS = ("run_code", "run_command")
"""Methods of a session that run the agent's programs."""


def ask_often(
    request: Request, split: str, scripts: list[tuple[int, Calls]], max_turns: int, **_: float
) -> str:
    """Play scripts with and without additional status() calls. Return the first difference as text, or "".

    Each of the ``scripts`` has the index of a task, and the calls in its solution.
    """
    for place, calls in scripts:
        plain, again = (_played(request, split, place, calls, max_turns, 0) for _ in range(2))
        asked = _played(request, split, place, calls, max_turns, AGAIN)
        same = plain == again  # otherwise the observations show nothing
        for number, (one, other) in enumerate(zip(plain, asked, strict=False), 1):
            for what in ("error", "done", "reward", *(["observation"] if same else [])):
                if one[what] != other[what]:
                    found = f"{_brief(one[what])} without these calls, but {_brief(other[what])} with them"
                    return f"{split}/{place}, step {number}, {one['tool']}, {what}: {found}"
        if len(plain) != len(asked):
            return f"{split}/{place}: over after {len(plain)} steps without these calls, {len(asked)} with them"
    return ""


def _played(
    request: Request, split: str, place: int, calls: Calls, max_turns: int, often: int
) -> list[Json]:
    """Return an episode's steps, up to a failure if there is one. The last entry has the reward for stopping."""
    try:
        world = open_episode(request, split, place, None, max_turns)
    except RuntimeError:
        return []
    final: float | str = 0.0
    try:
        for tool, arguments in calls:
            if world.over:
                break
            for _ in range(often):
                world._ask_status()
            world.call(tool, arguments)
        final = world.end()
    except RuntimeError as error:
        final = str(error)
    finally:
        world.close()
    ending = {"tool": "the end", "error": None, "done": True, "observation": world.status}
    return [*record(world, 0.0)["steps"], {**ending, "reward": final}]


def _brief(value: object) -> str:
    if isinstance(value, list):
        value = "\n".join(block.get("text", "[a picture]") for block in value)
    return f"{value:g}" if isinstance(value, float) else repr(value)[:200]


def break_session(
    request: Request, split: str, script: tuple[int, Calls], max_turns: int, **_: float
) -> Json | None:
    """Play a script after its sandbox was closed. Return the first call that used the sandbox and still succeeded,
    or None.

    ``script`` has the index of a task, and the oracle's calls.
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
    """Make ``session`` append to ``tried`` whenever its method ``name`` is called."""
    if (run := getattr(session, name, None)) is None:
        return

    def noted(*given: Any, **named: Any) -> Any:
        tried.append(name)
        return run(*given, **named)

    setattr(session, name, noted)


def _answer(step: Json) -> Json:
    said = " ".join(block.get("text", "") for block in step["observation"])
    return {"tool": step["tool"], "error": step["error"], "said": said[:200]}


JOBS = {"ask_often": ask_often, "break_session": break_session}
