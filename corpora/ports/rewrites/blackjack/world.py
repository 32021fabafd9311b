"""Blackjack by the rules of Sutton and Barto, as Gymnasium's Blackjack-v1 plays it."""

from .pcg64 import Generator

DECK = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)
SUITS, FACES = 4, 3
DEALER_STANDS = 17
"""Sum from which the dealer takes no card."""


class InvalidAction(Exception):
    """The rules forbid the action; the agent sees why and may try again."""


class Blackjack:
    """One hand. `reward` is 1.0 for a win and -1.0 for a loss."""

    def __init__(self, task: dict, seed: int) -> None:
        """Deal two cards to the dealer and two to the agent."""
        self.reward, self.done = 0.0, False
        self._chance = Generator(seed)
        self._dealer = [self._draw(), self._draw()]
        self._player = [self._draw(), self._draw()]
        # The original draws what its picture shows: a suit, and a face for a ten.
        self._chance.below(SUITS)
        if self._dealer[0] == 10:
            self._chance.below(FACES)

    def observe(self) -> str:
        """Return the agent's sum, the dealer's open card, and whether an ace counts as 11."""
        return f"An action is an integer from 0 to 1.\n\n{self._shown()}"

    def act(self, *, action: int) -> str:
        """Take a card (1) or stop (0)."""
        if action:
            self._player.append(self._draw())
            if _total(self._player) > 21:
                self.reward, self.done = -1.0, True
            return self._shown()
        while _total(self._dealer) < DEALER_STANDS:
            self._dealer.append(self._draw())
        mine, theirs = _score(self._player), _score(self._dealer)
        self.reward = float((mine > theirs) - (mine < theirs))
        if _natural(self._player) and not _natural(self._dealer):
            self.reward = 1.0
        self.done = True
        return self._shown()

    def _draw(self) -> int:
        return DECK[self._chance.below(len(DECK))]

    def _shown(self) -> str:
        total = _total(self._player)
        return f"Observation: {[total, self._dealer[0], int(total != sum(self._player))]}"


def _total(hand: list[int]) -> int:
    """Return the sum of a hand, in which an ace counts as 11 if the sum stays below 22."""
    plain = sum(hand)
    return plain + 10 if 1 in hand and plain + 10 <= 21 else plain


def _score(hand: list[int]) -> int:
    return _total(hand) if _total(hand) <= 21 else 0


def _natural(hand: list[int]) -> bool:
    return sorted(hand) == [1, 10]
