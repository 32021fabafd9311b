"""A player that solves every answer from the feedback alone.

It knows the list of answers, as a keen human player does, but never looks at the task's.
"""

import re
from functools import cache

from .game import Wordle, feedback
from .tasks import ANSWERS

# The best first guess is the same in every game and slow to find, so it was found once, by trying.
OPENING = "trace"
# With more candidates than this, a guess that cannot be the answer gains little and costs time.
PROBE_UP_TO = 15

Words = tuple[str, ...]


def told_apart(guess: str, candidates: Words) -> int:
    """How many different feedbacks `guess` can get if the answer is one of `candidates`."""
    return len({tuple(feedback(guess, candidate)) for candidate in candidates})


@cache
def best_guess(candidates: Words) -> str:
    """The word that tells most candidates apart, one of them if none outside does better."""
    best = max(candidates, key=lambda word: told_apart(word, candidates))
    if told_apart(best, candidates) < len(candidates) <= PROBE_UP_TO:
        # Families such as batch, catch, hatch: a word from outside can test several at once.
        best = max((best, *ANSWERS), key=lambda word: told_apart(word, candidates))
    return best


@cache
def by_feedback(guess: str, candidates: Words) -> dict[Words, Words]:
    """The candidates grouped by the feedback they would give to `guess`."""
    groups: dict[Words, Words] = {}
    for candidate in candidates:
        seen = tuple(feedback(guess, candidate))
        groups[seen] = (*groups.get(seen, ()), candidate)
    return groups


def read_feedback(observation: str) -> Words:
    """The colours in the game's reply to a guess."""
    return tuple(re.findall(r"\b[a-z] (green|yellow|gray)\b", observation))


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    """The calls of a won game, the last of them the answer."""
    world = Wordle(task, seed)
    candidates = tuple(ANSWERS)
    word = OPENING
    calls: list[tuple[str, dict]] = []
    while not world.done:
        calls.append(("guess", {"word": word}))
        candidates = by_feedback(word, candidates)[read_feedback(world.guess(word))]
        word = best_guess(candidates)
    return calls
