"""An oracle that always leaves a multiple of four stones."""

from .game import Nim


def solve(task, seed):
    game, calls = Nim(task, seed), []
    while not game.done:
        count = game.stones % 4 or 1
        calls.append(("take", {"count": count}))
        game.take(count)
    return calls
