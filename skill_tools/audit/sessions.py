"""Reach a target: serve it if necessary, and discover its tools and tasks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace

from skill_tools.audit.audit import as_lines, missing_of, read_found
from skill_tools.audit.driver import DriverSession
from skill_tools.audit.target import Target
from skill_tools.audit.target_venv import target_venv
from skill_tools.audit.waiting import Say
from skill_tools.errors import RolloutError
from skill_tools.runtime.progress import Progress


@contextmanager
def reach(
    target: Target, *, count: int, call_seconds: float, progress: Progress, say: Say
) -> Iterator[DriverSession]:
    """Yield a session that has discovered at most ``count`` tasks of a target.

    Raises SkillToolsError, with the target's own message, if the target cannot be served or discovered.
    """
    venv = target_venv(target, progress)
    with ExitStack() as stack:
        lined = stack.enter_context(as_lines(target))
        driven = DriverSession(lined, venv, call_seconds, url=target.url, say=say)
        if target.served:
            say("starting the server")
            driven = replace(driven, url=stack.enter_context(driven.serving()).url)
        say("discovering tools and tasks")
        ended = driven.ask("discover", max(60.0, call_seconds * 4), count=count)
        found = read_found(ended.lines)
        if found is None or missing_of(found):
            needed = f"it needs {missing_of(found)}" if found else "discovery returned nothing"
            why = ended.why or needed
            raise RolloutError(
                f"{target.name} cannot be played: {why}\n    fix: see what it needs, for example --requirement PACKAGE"
            )
        yield replace(driven, found=found)
