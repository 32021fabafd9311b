"""Looks at the panel, and knows what its dials show: a needle that is measured may be a line off."""

import re

from .panel import DialPanel


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    """A look, and the answer."""
    world = DialPanel(task, seed)
    asked = re.findall(r"\b[A-F]\b", world.observe())
    values = [dial.value for dial in world._dials if dial.name in asked]
    answer = abs(values[0] - values[1]) if task["question"] == "gap" else sum(values)
    return [("look", {}), ("answer", {"value": answer})]
