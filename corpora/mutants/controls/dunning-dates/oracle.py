"""Reckons with the dates that are shown."""

import re
from datetime import date

from .world import Dunning


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    calls = []
    line = r"Invoice (\d): issued (\S+), term (\d+) days"
    for number, issued, term in re.findall(line, Dunning(task, seed).observe()):
        age = (date.fromisoformat(task["today"]) - date.fromisoformat(issued)).days
        late = age - int(term)
        action = "wait" if late <= 0 else "remind" if late <= 14 else "collect"
        calls.append(("decide", {"invoice": int(number), "action": action}))
    return calls
