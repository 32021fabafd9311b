"""The venv of a target: the venv of rendered variants if it satisfies all requirements, otherwise a separate
venv."""

from __future__ import annotations

from collections.abc import Sequence

from packaging.requirements import Requirement

from skill_tools.audit.target import Target
from skill_tools.render.plan import SHARED_REQUIREMENTS
from skill_tools.runtime import interpreters, venvs
from skill_tools.runtime.progress import Progress


def target_venv(target: Target, progress: Progress) -> venvs.Overlay:
    """Return the venv of a target, and create the venv if needed.

    The venv of rendered variants is used if it satisfies the target's requirements. Raises InterpreterError or
    InstallError.
    """
    facts = target.framework
    ours = [*facts.requirements, *SHARED_REQUIREMENTS] if facts.requirements else []
    python = interpreters.find(facts.python)
    say = lambda what: progress(facts.name, what)
    base = venvs.base(ours, python, facts.warm_imports, say, without=facts.without)
    if not _has(base, target.requirements):
        base = venvs.base([*ours, *target.requirements], python, facts.warm_imports, say)
    return venvs.overlay(base, f"audit-{facts.name}", target.links)


def _has(base: venvs.Base, requirements: Sequence[str]) -> bool:
    """Return whether a venv satisfies the requirements."""
    pinned = [Requirement(line) for line in base.resolved if "==" in line]
    there = {each.name.lower(): str(each.specifier).removeprefix("==") for each in pinned}
    wanted = [Requirement(line) for line in requirements]
    return all(
        not each.extras
        and each.name.lower() in there
        and each.specifier.contains(there[each.name.lower()], prereleases=True)
        for each in wanted
        if not each.marker or each.marker.evaluate()
    )
