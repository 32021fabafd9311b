"""A chain of words: each begins with the last two letters of the one before."""

import random
from pathlib import Path

WORDS = sorted((Path(__file__).parent / "words.txt").read_text(encoding="utf-8").split())
SHOWN = 12


class InvalidAction(Exception):
    """Refused; nothing has changed."""


def table() -> dict[str, tuple[str, ...]]:
    """The words by their first two letters; made once, never changed."""
    starts = sorted({word[:2] for word in WORDS})
    return {start: tuple(word for word in WORDS if word[:2] == start) for start in starts}


BY_START = table()


def followers(chain: list[str]) -> list[str]:
    return [word for word in BY_START.get(chain[-1][-2:], ()) if word not in chain]


def chain_of(chain: list[str], length: int) -> list[str] | None:
    """The chain made so long, or None if there is no way."""
    if len(chain) > length:
        return chain
    longer = (chain_of([*chain, word], length) for word in followers(chain))
    return next(filter(None, longer), None)


class LinkWords:
    """`reward` is 1.0 once `task["words"]` words were said."""

    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} links")
        self._wanted: int = task["words"]
        self.chain = [rng.choice(WORDS)]
        while not chain_of(self.chain, self._wanted):
            self.chain = [rng.choice(WORDS)]
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        said = len(self.chain) - 1
        return (
            f"The chain: {' - '.join(self.chain)}. Words said: {said} of {self._wanted}. "
            f"The next one begins with \"{self.chain[-1][-2:]}\"."
        )

    def look_up(self, start: str) -> str:
        self._check_open()
        found = [word for word in WORDS if word.startswith(start)]
        some = ", ".join(found[:SHOWN]) or "none"
        more = f", and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
        return f"Words with \"{start}\": {some}{more}."

    def say(self, word: str) -> str:
        self._check_open()
        start = self.chain[-1][-2:]
        if not word.startswith(start):
            raise InvalidAction(f"{word!r} does not begin with {start!r}, as the next word must")
        if word not in WORDS:
            raise InvalidAction(f"{word!r} is not on the list; say another word with {start!r}")
        if word in self.chain:
            raise InvalidAction(f"{word!r} is in the chain already; say another word with {start!r}")
        self.chain.append(word)
        if len(self.chain) > self._wanted:
            self.reward, self.done = 1.0, True
            return f"The chain: {' - '.join(self.chain)}. It is complete."
        self.done = not followers(self.chain)
        return self.observe() + (" No word can follow: a dead end." if self.done else "")

    def valid_calls(self) -> list[tuple[str, dict]]:
        says = [("say", {"word": word}) for word in followers(self.chain)]
        return [*says, ("look_up", {"start": self.chain[-1][-2:]})]

    def _check_open(self) -> None:
        if self.done:
            raise InvalidAction("the chain has ended; the episode is over")
