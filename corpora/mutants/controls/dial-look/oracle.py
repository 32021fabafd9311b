"""Turns once, looks how far it went, and knows the wear."""

import re

from .world import Dial


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    world = Dial(task, seed)
    *marks, before = map(int, re.findall(r"\d+", world.observe()))
    world.turn(1)
    at = int(re.findall(r"\d+", world.look())[0])
    wear = (at - before - 1) % 100
    calls: list[tuple[str, dict]] = [("turn", {"places": 1}), ("look", {})]
    for mark in marks:
        if at != mark:
            calls.append(("turn", {"places": (mark - at - wear) % 100 or 100}))
        calls.append(("press", {}))
        at = mark
    return calls
