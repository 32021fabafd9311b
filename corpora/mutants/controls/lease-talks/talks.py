"""Talks about a lease with a scripted landlord whose priorities are hidden."""

import random
from itertools import product

# Per issue its options, from what suits the tenant most to what suits the landlord most.
ISSUES = {
    "rent": ("900", "1000", "1100", "1200"),
    "months": ("6", "12", "24", "36"),
    "deposit": ("0", "1", "2", "3"),
    "repairs": ("landlord", "mostly landlord", "mostly tenant", "tenant"),
}
TOTAL = 20  # of the four weights of a side
HEAVIEST = 10
STEPS = 3  # an option's rank goes from 0 to 3
FIRST_DEMAND = 44

Deal = tuple[int, ...]


class InvalidAction(Exception):
    """The talks do not allow it; the agent is told why and may try again."""


def draw_weights(rng: random.Random) -> dict[str, int]:
    """Four different weights that add up to the total, one per issue."""
    while True:  # one draw in twelve fits
        weights = rng.sample(range(1, HEAVIEST + 1), len(ISSUES))
        if sum(weights) == TOTAL:
            return dict(zip(ISSUES, weights, strict=True))


def landlord_points(deal: Deal, weights: dict[str, int]) -> int:
    """What a deal is worth to the landlord: its weight for each step from the tenant's best."""
    return sum(weights[issue] * rank for issue, rank in zip(ISSUES, deal, strict=True))


def tenant_points(deal: Deal, weights: dict[str, int]) -> int:
    """What a deal is worth to the tenant: its weight for each step from the landlord's best."""
    return sum(weights[issue] * (STEPS - rank) for issue, rank in zip(ISSUES, deal, strict=True))


def best_points(tenant: dict[str, int], landlord: dict[str, int], demand: int) -> int:
    """The most that a deal is worth to the tenant if the landlord must get `demand` points."""
    return max(
        tenant_points(deal, tenant)
        for deal in product(range(STEPS + 1), repeat=len(ISSUES))
        if landlord_points(deal, landlord) >= demand
    )


class LeaseTalks:
    """One talk. `reward` is paid with the deal: how far it is from the fallback to the best one."""

    def __init__(self, task: dict, seed: int) -> None:
        """Draw both sides' weights; the landlord comes down to `task["floor"]` in `task["rounds"]`."""
        self.rounds: int = task["rounds"]
        self.floor: int = task["floor"]
        rng = random.Random(seed)
        self.mine = draw_weights(rng)
        self._theirs = draw_weights(rng)
        while self._theirs == self.mine:  # other priorities, or there would be nothing to trade
            self._theirs = draw_weights(rng)
        self._best = best_points(self.mine, self._theirs, self.floor)
        self.fallback = self._best // 2
        self.round = 1
        self._asked: set[str] = set()
        self.reward = 0.0
        self.done = False

    def demand(self, number: int) -> int:
        """The points that the landlord wants in a round: down to the floor in equal steps, rounded up."""
        fall = (FIRST_DEMAND - self.floor) * (number - 1)
        return FIRST_DEMAND - fall // (self.rounds - 1)

    def observe(self) -> str:
        """The tenant's weights and fallback, and what the landlord wants in each round."""
        weights = ", ".join(f"{issue} {weight}" for issue, weight in self.mine.items())
        demands = ", ".join(
            f"round {number}: {self.demand(number)}" for number in range(1, self.rounds + 1)
        )
        return (
            f"Your weights: {weights}. Your other offer is worth {self.fallback} points.\n"
            f"Points that the landlord wants: {demands}.\n{self._status()}"
        )

    def propose(self, rent: str, months: str, deposit: str, repairs: str) -> str:
        """Propose a lease; the landlord accepts it or the next round begins."""
        self._check_open()
        chosen = (rent, months, deposit, repairs)
        deal = tuple(
            options.index(option) for options, option in zip(ISSUES.values(), chosen, strict=True)
        )
        mine, theirs = tenant_points(deal, self.mine), landlord_points(deal, self._theirs)
        wanted = self.demand(self.round)
        if theirs >= wanted:
            self.done = True
            gain = (mine - self.fallback) / (self._best - self.fallback)
            self.reward = min(1.0, max(0.0, gain))
            return f"The landlord accepts. The lease is worth {mine} points to you. The talks are over."
        missing = wanted - theirs
        self._next_round()
        return (
            f"The landlord rejects: {missing} points were missing. The lease would be worth {mine} "
            f"points to you.\n{self._status()}"
        )

    def ask(self, issue: str) -> str:
        """Spend a round on learning the landlord's weight of one issue."""
        self._check_open()
        if issue in self._asked:
            raise InvalidAction(
                f"You have already asked about {issue}: the landlord's weight is "
                f"{self._theirs[issue]}. This took no round; propose a lease, or ask about another issue."
            )
        self._asked.add(issue)
        self._next_round()
        return f"The landlord's weight of {issue} is {self._theirs[issue]}.\n{self._status()}"

    def _next_round(self) -> None:
        self.round += 1
        self.done = self.round > self.rounds

    def _status(self) -> str:
        if self.done:
            return "That was the last round: there is no lease. The talks are over."
        wanted = self.demand(self.round)
        return f"Round {self.round} of {self.rounds}: the landlord wants {wanted} points."

    def _check_open(self) -> None:
        if self.done:
            raise InvalidAction("The talks are over; nothing more can be said.")
