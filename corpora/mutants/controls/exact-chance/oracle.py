"""Reads the question as the agent does and counts every single draw, unlike the world's formula."""

import re
from fractions import Fraction
from itertools import combinations

from .chance import COLOURS, ExactChance


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    """The answer, as a fraction."""
    text = ExactChance(task, seed).observe()
    balls = [
        colour
        for colour in COLOURS
        for _ in range(int(re.search(rf"(\d+) {colour}[,.]", text)[1]))
    ]
    drawn = int(re.search(r"(\d+) balls are drawn", text)[1])
    wanted = re.search(r"(exactly|at least) (\d+) of the \d+ balls (?:is|are) (\w+)", text)
    good = total = 0
    for draw in combinations(balls, drawn):
        total += 1
        if wanted is None:
            good += len(set(draw)) == 1
        else:
            hits = draw.count(wanted[3])
            good += hits == int(wanted[2]) or (hits > int(wanted[2]) and wanted[1] == "at least")
    chance = Fraction(good, total)
    return [("answer", {"value": f"{chance.numerator}/{chance.denominator}"})]
