"""A beam of games played side by side, by hindsight: it knows which tiles will appear."""

import random
from copy import copy

from .world import MergeTiles

WIDTH = 12


def twin(world: MergeTiles) -> MergeTiles:
    """The same game once more; a slide makes a new board, so only the chance is copied."""
    other = copy(world)
    other._rng = random.Random()
    other._rng.setstate(world._rng.getstate())
    return other


def worth(world: MergeTiles) -> float:
    tiles = sorted((tile for row in world.board for tile in row if tile), reverse=True)
    return sum(tile**1.5 for tile in tiles) - 2 * len(tiles)


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    beam = [(MergeTiles(task, seed), [])]
    for _ in range(task["moves"]):
        following = []
        for world, calls in beam:
            for tool, arguments in world.valid_calls():
                other = twin(world)
                other.slide(**arguments)
                path = [*calls, (tool, arguments)]
                if other.reward == 1.0:
                    return path
                if not other.done:
                    following.append((other, path))
        beam = sorted(following, key=lambda entry: worth(entry[0]), reverse=True)[:WIDTH]
    raise LookupError(f"no won game found for {task['id']} with seed {seed}")
