"""Expected errors, which a person or a coding agent can fix.

    SkillToolsError
    |-- SpecError           env.yaml is wrong (one message per problem)
    |-- DomainError         the author's module, tasks or oracle are wrong or raise
    |-- RenderError         the target folder prevents rendering
    |-- InterpreterError    no Python that satisfies a framework
    |-- InstallError        a venv could not be made
    |-- PlatformError       this operating system is not supported
    `-- RolloutError        a variant's rollout did not produce trajectories

The command line and the MCP server turn these errors into messages, and the command line ends with exit code
2. Any other error is a bug in skill-tools: it propagates and ends with exit code 3.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True)
class Remedy:
    """The next step as data. The command line shows a command, and the MCP server a tool with arguments.

    An empty ``frameworks`` stands for the frameworks in env.yaml. ``force`` overwrites edited files and keeps
    each edited file as .orig.
    """

    verb: Literal["new", "render"]
    folder: Path | None = None
    frameworks: tuple[str, ...] = ()
    force: bool = False


@dataclass(frozen=True)
class Problem:
    """One problem: where it is, what is wrong, and what to do next."""

    where: str
    what: str
    fix: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" + (f"\n    fix: {self.fix}" if self.fix else "")


class SkillToolsError(Exception):
    """Base of every error that is caused by the input or the machine, not by skill-tools.

    ``remedy`` is the next step, if skill-tools offers a next step.
    """

    def __init__(self, message: str = "", *, remedy: Remedy | None = None) -> None:
        self.remedy = remedy
        super().__init__(message)


class SpecError(SkillToolsError):
    """The env spec is invalid; ``problems`` holds every problem found, not only the first."""

    def __init__(self, problems: list[Problem], *, remedy: Remedy | None = None) -> None:
        self.problems = problems
        super().__init__("\n".join(str(problem) for problem in problems), remedy=remedy)


class DomainError(SkillToolsError):
    """The author's domain, tasks or oracle lack something, raise an exception, or never return."""


class RenderError(SkillToolsError):
    """A file that rendering would write was edited by hand or lies outside the environment."""


class InterpreterError(SkillToolsError):
    """No interpreter on this machine satisfies a framework's Python requirement."""


class InstallError(SkillToolsError):
    """A variant's dependencies could not be resolved or installed."""


class PlatformError(SkillToolsError):
    """The request needs another operating system."""


class RolloutError(SkillToolsError):
    """A rollout process ended without the requested trajectories."""


def nearest(
    wanted: str, there: Iterable[str], *, listing: str | None = None, before: str = "; "
) -> str:
    """Return the hint for an unknown name: the closest name, and all names.

    ``listing`` describes the names in more detail. ``before`` is the text before the hint.
    """
    names = list(there)
    close = closest(wanted, names)
    guess = f"did you mean {close!r}? " if close else ""
    return f"{before}{guess}there are: {listing or ', '.join(names) or 'none'}"


def closest(wanted: str, there: Iterable[str], alike: float = 0.45) -> str | None:
    """Return the name most similar to ``wanted``, ignoring case, ``_``, ``-`` and spaces, or None if no name is
    similar.

    ``alike`` is the minimum of difflib's ratio, which is 1 for equal names. At 0.45, `vision` matches
    `vision-computer-use`.
    """
    known, typed = {_spelled(name): name for name in there}, _spelled(wanted)
    found = difflib.get_close_matches(typed, known, n=3, cutoff=alike)
    found.sort(
        key=lambda name: not name.startswith(typed)
    )  # before names that merely share letters
    return known[found[0]] if found else None


def _spelled(name: str) -> str:
    return "-".join(name.lower().replace("_", " ").replace("-", " ").split())
