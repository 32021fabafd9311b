"""Plays the best policy for the own sum and the card that the house shows; it knows no card to come."""

import re
from functools import cache

from .cards import HOUSE, LIMIT, OpenCard

CARDS = range(1, 11)


@cache
def house(total: int) -> dict[int, float]:
    """How likely each final sum of the house is from here; 0 stands for too much."""
    if total >= HOUSE:
        return {total if total <= LIMIT else 0: 1.0}
    chances: dict[int, float] = {}
    for card in CARDS:
        for end, chance in house(total + card).items():
            chances[end] = chances.get(end, 0.0) + chance / len(CARDS)
    return chances


@cache
def standing(total: int, shown: int) -> float:
    return sum(
        chance * (0.5 if end == total else float(total > end)) for end, chance in house(shown).items()
    )


@cache
def hitting(total: int, shown: int) -> float:
    return sum(worth(total + card, shown) for card in CARDS) / len(CARDS)


@cache
def worth(total: int, shown: int) -> float:
    return 0.0 if total > LIMIT else max(standing(total, shown), hitting(total, shown))


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    world, calls = OpenCard(task, seed), []
    said = world.observe()
    while not world.done:
        total, shown = (int(number) for number in re.findall(r": ([0-9]+)\. The house shows ([0-9]+)", said)[0])
        call = "hit" if hitting(total, shown) > standing(total, shown) else "stand"
        calls.append((call, {}))
        said = getattr(world, call)()
    return calls
