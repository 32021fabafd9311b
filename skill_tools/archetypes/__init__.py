"""The archetypes, which are the kinds of environment.

A new archetype needs a module, a starter and a line in the table of archetypes.
"""

from __future__ import annotations

from skill_tools.archetypes.archetype import Archetype, Defaults, InterviewQuestion, Risk
from skill_tools.archetypes.conversation import CONVERSATION
from skill_tools.archetypes.pure_python_game import PURE_PYTHON_GAME
from skill_tools.archetypes.single_turn import SINGLE_TURN
from skill_tools.archetypes.starter import render_starter
from skill_tools.archetypes.stateful_sandbox import STATEFUL_SANDBOX
from skill_tools.archetypes.text_action import TEXT_ACTION
from skill_tools.archetypes.vision_computer_use import VISION_COMPUTER_USE
from skill_tools.errors import Problem, SpecError, nearest

ARCHETYPES: dict[str, Archetype] = {
    archetype.name: archetype
    for archetype in (
        SINGLE_TURN,
        CONVERSATION,
        PURE_PYTHON_GAME,
        STATEFUL_SANDBOX,
        VISION_COMPUTER_USE,
        TEXT_ACTION,
    )
}

STARTERS: dict[str, Archetype] = {
    name: archetype
    for archetype in ARCHETYPES.values()
    for name in (archetype.name, *archetype.other_starters)
}
"""The archetype of each starter, by the starter's name; each archetype has a starter of its own
name."""

__all__ = [
    "ARCHETYPES",
    "STARTERS",
    "Archetype",
    "Defaults",
    "InterviewQuestion",
    "Risk",
    "find",
    "start",
]


def find(name: str) -> Archetype:
    """Return the archetype with this name.

    Raises SpecError, with the most similar name, if no archetype has this name.
    """
    return _known(name, ARCHETYPES)


def start(
    starter: str, name: str, title: str | None = None, description: str | None = None
) -> dict[str, str]:
    """Return the files of a new, working environment as ``{path: text}``, without writing them.

    ``starter`` is the name of an archetype, or of one of its additional starters. Raises SpecError for an unknown
    starter, or for an invalid name, title or description.
    """
    _known(starter, STARTERS)
    return render_starter(starter, name, title, description)


def _known(name: str, table: dict[str, Archetype]) -> Archetype:
    if name in table:
        return table[name]
    fix = nearest(name, table, before="")
    raise SpecError([Problem("archetype", f"{name!r} is not an archetype", fix)])
