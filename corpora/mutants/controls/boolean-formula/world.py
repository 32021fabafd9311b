"""Six switches; conditions are added until one setting is left."""

import random
from itertools import product

NAMES = "abcdef"
SETTINGS = list(product((False, True), repeat=6))


class InvalidAction(Exception):
    """Refused."""


def holds(condition: list, setting: tuple) -> bool:
    return any(setting[index] is state for index, state in condition)


class Formula:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} formula")
        planted = rng.choice(SETTINGS)
        self.conditions: list = []
        left = SETTINGS
        while len(left) > 1:
            condition = [(index, rng.random() < 0.5) for index in sorted(rng.sample(range(6), 3))]
            fewer = [setting for setting in left if holds(condition, setting)]
            if holds(condition, planted) and len(fewer) < len(left):
                self.conditions.append(condition)
                left = fewer
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return "\n".join(
            " or ".join(
                f"{NAMES[index]} is {'on' if state else 'off'}" for index, state in condition
            )
            for condition in self.conditions
        )

    def set_switches(self, a: bool, b: bool, c: bool, d: bool, e: bool, f: bool) -> str:
        if self.done:
            raise InvalidAction("the switches are set; the episode is over")
        met = sum(holds(condition, (a, b, c, d, e, f)) for condition in self.conditions)
        self.done = True
        self.reward = 1.0 if met == len(self.conditions) else 0.0
        return f"{met} of {len(self.conditions)} conditions hold."
