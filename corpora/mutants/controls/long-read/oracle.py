"""Reads all three chapters and adds up from the text."""

import re

from .world import HarbourBook


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    world = HarbourBook(task, seed)
    asked = re.fullmatch(
        r"How many crates of (.+) did the (.+) land at (.+), in .*", world.observe()
    )
    goods, ship, port = asked.groups()
    line = re.compile(rf"the {ship} landed (\d+) crates of {goods} at {port}\.")
    text = "\n".join(world.read_chapter(chapter) for chapter in (1, 2, 3))
    calls = [("read_chapter", {"chapter": chapter}) for chapter in (1, 2, 3)]
    return [*calls, ("answer", {"crates": sum(map(int, line.findall(text)))})]
