"""Stops when one more card costs more than it brings on average."""
from .game import Cards


def solve(task, seed):
    world, calls = Cards(task, seed), []
    while not world.done:
        left = 5 - world.turned
        if world.bad / left * (1 + world.reward) > (left - world.bad) / left * 0.3:
            break
        calls.append(("turn", {}))
        world.turn()
    return calls
