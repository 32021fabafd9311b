"""The kinds of environment; adding one is a module, a starter and a line in the table."""

from __future__ import annotations

from skill_tools.archetypes.archetype import Archetype, Defaults, Question, Risk
from skill_tools.archetypes.pure_python_game import PURE_PYTHON_GAME
from skill_tools.archetypes.starter import render_starter
from skill_tools.archetypes.stateful_sandbox import STATEFUL_SANDBOX
from skill_tools.archetypes.text_action import TEXT_ACTION
from skill_tools.archetypes.vision_computer_use import VISION_COMPUTER_USE
from skill_tools.errors import Problem, SpecError, nearest

ARCHETYPES: dict[str, Archetype] = {
    archetype.name: archetype
    for archetype in (PURE_PYTHON_GAME, STATEFUL_SANDBOX, VISION_COMPUTER_USE, TEXT_ACTION)
}

__all__ = ["ARCHETYPES", "Archetype", "Defaults", "Question", "Risk", "find", "start"]


def find(name: str) -> Archetype:
    """The archetype of that name. Raises SpecError that names the nearest one."""
    if name in ARCHETYPES:
        return ARCHETYPES[name]
    fix = nearest(name, ARCHETYPES, before="")
    raise SpecError([Problem("archetype", f"{name!r} is not an archetype", fix)])


def start(
    archetype: str, name: str, title: str | None = None, description: str | None = None
) -> dict[str, str]:
    """The files of a new, working environment of a kind, as {path: text}; nothing is written.

    Raises SpecError for an unknown archetype, or a name, title or description that cannot be used.
    """
    return render_starter(find(archetype), name, title, description)
