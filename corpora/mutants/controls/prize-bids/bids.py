"""Sealed bids for prizes, with the same cards for both sides, against a scripted opponent."""

import random


class InvalidAction(Exception):
    """The card is not in the hand; the player is told why and may try again."""


class PrizeBids:
    """One game. `reward` is 1.0 after a win, 0.5 after a draw, 0.0 else."""

    def __init__(self, task: dict, seed: int) -> None:
        """Shuffle the prizes 1 to `task["cards"]`; the opponent is "random" or "eager"."""
        self.cards: int = task["cards"]
        self.shows: bool = task["shows"]
        self._opponent: str = task["opponent"]
        self._rng = random.Random(f"{seed} {self.cards} {self._opponent} {self.shows}")
        numbers = list(range(1, self.cards + 1))
        self._prizes = self._rng.sample(numbers, self.cards)
        self._theirs = list(numbers)
        self.hand = list(numbers)
        self.score = [0, 0]
        self.round = 0
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        """The hand and the first prize."""
        way = {
            "random": "The opponent bids any of its cards, each with the same chance.",
            "eager": "The opponent bids the card of the prize's own number, if it still has that "
            "card, with a chance of 3 in 4, and else any of its cards, each with the same chance.",
        }[self._opponent]
        told = (
            "Its bid is shown after each round."
            if self.shows
            else "Its bid is never shown; only who won the prize."
        )
        return f"Cards and prizes are 1 to {self.cards}. {way} {told}\n{self._status()}"

    def bid(self, card: int) -> str:
        """Bid a card of the hand for the prize in sight."""
        if self.done:
            raise InvalidAction("The game is over; no more bids are taken.")
        if card not in self.hand:
            raise InvalidAction(
                f"You do not have card {card}; your cards are {', '.join(map(str, self.hand))}."
            )
        prize = self._prizes[self.round]
        answer = self._answer(prize)
        self.hand.remove(card)
        self._theirs.remove(answer)
        self.round += 1
        if card > answer:
            self.score[0] += prize
            news = f"You win prize {prize}."
        elif card < answer:
            self.score[1] += prize
            news = f"The opponent wins prize {prize}."
        else:
            news = f"The bids are equal: nobody gets prize {prize}."
        bids = f"You bid {card}, the opponent bid {answer}." if self.shows else f"You bid {card}."
        self._judge()
        return f"{bids} {news}\n{self._status()}"

    def _answer(self, prize: int) -> int:
        """The opponent's card; it does not look at the player's."""
        if self._opponent == "eager" and prize in self._theirs and self._rng.random() < 0.75:
            return prize
        return self._rng.choice(self._theirs)

    def _judge(self) -> None:
        """End the game once the prizes that are left cannot change who has more."""
        mine, theirs = self.score
        left = sum(self._prizes[self.round :])
        if abs(mine - theirs) > left or not left:
            self.done = True
            self.reward = 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0

    def _status(self) -> str:
        points = f"Points: you {self.score[0]}, the opponent {self.score[1]}."
        if self.done:
            end = {1.0: "You win!", 0.5: "It is a draw.", 0.0: "You lose."}[self.reward]
            return f"{points} The game is over. {end}"
        later = ", ".join(map(str, sorted(self._prizes[self.round + 1 :]))) or "none"
        hand = ", ".join(map(str, self.hand))
        return (
            f"{points} The prize is {self._prizes[self.round]}; prizes still to come, in an order "
            f"that you do not know: {later}.\nYour cards: {hand}."
        )
