"""The place of an answer: the only text argument of the only call that answers a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Slot:
    """A tool's only argument, which is a text."""

    tool: str
    argument: str

    def arguments(self, reply: str) -> dict[str, str]:
        """Return the arguments for this reply."""
        return {self.argument: reply}


def slot_of(solutions: Sequence[Sequence[tuple[str, Mapping[str, Any]]]]) -> Slot | None:
    """Return the argument that holds the answer, if each solution is one call of the same tool with one text. Numbers
    are left out: they have only one spelling, and a decision that is a number often has equally good alternatives."""
    if not solutions or any(len(each) != 1 for each in solutions):
        return None
    tools = {tool for ((tool, _),) in solutions}
    names = {name for ((_, given),) in solutions for name in given}
    if len(tools) != 1 or len(names) != 1:
        return None
    texts = all(isinstance(value, str) for ((_, given),) in solutions for value in given.values())
    return Slot(tools.pop(), names.pop()) if texts else None
