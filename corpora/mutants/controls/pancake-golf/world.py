"""Pancake sorting; the score is minus the flips too many, -10 while unsorted."""

import random

SIZES = 7
GOAL = tuple(range(1, SIZES + 1))


class InvalidAction(Exception):
    """Refused."""


def flipped(stack: tuple, count: int) -> tuple:
    return stack[:count][::-1] + stack[count:]


def distances() -> dict[tuple, int]:
    """The fewest flips from every stack to the sorted one."""
    far, ring = {GOAL: 0}, [GOAL]
    while ring:
        following = []
        for stack in ring:
            for count in range(2, SIZES + 1):
                other = flipped(stack, count)
                if other not in far:
                    far[other] = far[stack] + 1
                    following.append(other)
        ring = following
    return far


FEWEST = distances()


class Pancakes:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} pancakes")
        self.stack = GOAL
        while FEWEST[self.stack] < 4:
            self.stack = tuple(rng.sample(GOAL, SIZES))
        self._fewest = FEWEST[self.stack]
        self._flips = 0
        self.reward = -10.0
        self.done = False

    def observe(self) -> str:
        return f"The stack from top to bottom: {' '.join(map(str, self.stack))}."

    def flip(self, count: int) -> str:
        if self.done:
            raise InvalidAction("the stack is sorted; the episode is over")
        self.stack = flipped(self.stack, count)
        self._flips += 1
        if self.stack == GOAL:
            self.done = True
            self.reward = 0.0 - min(9, self._flips - self._fewest)
            return self.observe() + f" It is sorted, after {self._flips} flips."
        return self.observe()
