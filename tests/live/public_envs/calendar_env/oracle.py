"""Tries the orders of the events, each as early as its wish allows."""

import json
from itertools import permutations

from .planner import FIRST, is_right, minutes_of
from .tasks import clock


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    """The first order that fulfils every wish."""
    lengths = {int(event): length for event, length in task["lengths"].items()}
    wishes = {wish["event"]: wish for wish in task["wishes"]}
    for order in permutations(lengths):
        at, found = FIRST, {}
        for event in order:
            wish = wishes[event]
            start = max(at, minutes_of(wish["time"]) if wish["kind"] == "from" else FIRST)
            found[event] = (start, lengths[event])
            at = start + lengths[event]
        if is_right(task["wishes"], lengths, found):
            listed = [
                {"event": event, "start": clock(start), "minutes": length}
                for event, (start, length) in sorted(found.items())
            ]
            return [("message", {"text": f"```json\n{json.dumps(listed)}\n```"})]
    raise ValueError(f"no order fulfils {task['id']}")
