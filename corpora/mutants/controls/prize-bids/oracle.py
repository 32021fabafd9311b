"""Wins every game by hindsight: the opponent's bids do not depend on the player's.

One more than each of its bids, and the lowest card against its highest, loses one prize only. An
honest player who does not know the bids wins about nine games in ten.
"""

from .bids import PrizeBids


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    """The bids of a won game."""
    spy, theirs = PrizeBids(task, seed), []
    for prize in spy._prizes:
        theirs.append(spy._answer(prize))
        spy._theirs.remove(theirs[-1])
    world = PrizeBids(task, seed)
    calls: list[tuple[str, dict]] = []
    while not world.done:
        card = theirs[world.round] % world.cards + 1
        calls.append(("bid", {"card": card}))
        world.bid(card)
    return calls
