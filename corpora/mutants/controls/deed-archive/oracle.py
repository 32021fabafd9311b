"""Searches for the field, opens what is found, and answers from what it read."""

import re

from .world import Archive


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    world = Archive(task, seed)
    field, year = re.search(r"owned (\w+) in (\d+)", world.observe()).groups()
    calls: list[tuple[str, dict]] = [("search", {"word": field})]
    deeds = []
    for number in re.findall(r"\d+", world.search(field))[1:]:
        calls.append(("open", {"deed": int(number)}))
        deeds.append(re.search(r"of (\d+)\..* to (\w+)", world.open(int(number))).groups())
    owner = max(deed for deed in deeds if deed[0] <= year)[1]
    return [*calls, ("answer", {"name": owner})]
