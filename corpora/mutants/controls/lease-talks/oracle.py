"""Asks about three issues, infers the fourth, and makes the best offer in the last round.

It reads the landlord's weights from the answers only: proof that an agent can earn everything.
"""

import re
from itertools import product

from .talks import ISSUES, STEPS, TOTAL, LeaseTalks, landlord_points, tenant_points


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    """Three questions, offers of the tenant's dream until the last round, then the best deal."""
    world = LeaseTalks(task, seed)
    calls: list[tuple[str, dict]] = []
    known: dict[str, int] = {}
    names = list(ISSUES)
    for issue in names[:3]:
        calls.append(("ask", {"issue": issue}))
        text = world.ask(issue)
        known[issue] = int(re.search(r"is (\d+)", text)[1])
    known[names[3]] = TOTAL - sum(known.values())

    def offer(deal: tuple[int, ...]) -> None:
        arguments = {issue: ISSUES[issue][rank] for issue, rank in zip(names, deal, strict=True)}
        calls.append(("propose", arguments))
        world.propose(**arguments)

    while world.round < world.rounds:
        offer((0, 0, 0, 0))
    fitting = [
        deal
        for deal in product(range(STEPS + 1), repeat=len(names))
        if landlord_points(deal, known) >= world.demand(world.rounds)
    ]
    offer(max(fitting, key=lambda deal: tenant_points(deal, world.mine)))
    return calls
