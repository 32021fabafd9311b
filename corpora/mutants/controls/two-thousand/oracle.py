"""Follows the steps that are shown."""

import re

from .world import Chain


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    value = 0
    for verb, text in re.findall(r"(with|add|subtract|by) (\d+)", Chain(task, seed).observe()):
        number = int(text)
        value = {
            "with": number,
            "add": value + number,
            "subtract": value - number,
            "by": value * number,
        }[verb]
    return [("answer", {"result": value})]
