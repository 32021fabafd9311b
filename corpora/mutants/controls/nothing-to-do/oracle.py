"""Brings every room that is not fine to 21 degrees."""

import re

from .world import Rooms


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    shown = re.findall(r"room (\d) (\d+)", Rooms(task, seed).observe())
    calls = [
        ("adjust", {"room": int(room), "degrees": 21 - int(degrees)})
        for room, degrees in shown
        if not 19 <= int(degrees) <= 23
    ]
    return [*calls, ("sign_off", {})]
