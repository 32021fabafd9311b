"""The rules of Wordle: six guesses at a secret five-letter word."""

from pathlib import Path

GUESSES = 6
ALLOWED = frozenset((Path(__file__).parent / "guesses.txt").read_text("ascii").split())


class InvalidAction(Exception):
    """The guess is not one the rules allow; the player is told why and may try again."""


def feedback(guess: str, answer: str) -> list[str]:
    """Colour of each letter of `guess`: green, yellow or gray, from left to right.

    Greens take their letters of the answer first; what is left of a letter is then given out as
    yellow from left to right, so a letter is never coloured more often than the answer has it.
    """
    colours = ["green" if g == a else "gray" for g, a in zip(guess, answer, strict=True)]
    left = [a for g, a in zip(guess, answer, strict=True) if g != a]
    for place, letter in enumerate(guess):
        if colours[place] == "gray" and letter in left:
            colours[place] = "yellow"
            left.remove(letter)
    return colours


class Wordle:
    """One game. `reward` is 1.0 once the word is found and 0.0 until then."""

    def __init__(self, task: dict, seed: int) -> None:
        """Start a game for `task["answer"]`; nothing is left to chance, so `seed` is not used."""
        self._answer: str = task["answer"]
        self._guesses: list[str] = []
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        """Every guess so far with its colours, and what is left."""
        rows = [self._row(number) for number in range(1, len(self._guesses) + 1)]
        return "\n".join([*(rows or ["No guesses yet."]), self._status()])

    def guess(self, word: str) -> str:
        """Guess `word`, in either case; returns its colours and what is left.

        Raises InvalidAction, without spending a guess, when the word is not on the game's list.
        """
        if self.done:
            raise InvalidAction("the game is over; no more guesses are taken")
        guess = word.lower()
        if guess not in ALLOWED:
            raise InvalidAction(
                f"{word!r} is not on the word list; guess a five-letter English dictionary word "
                "(no names, no abbreviations). This cost none of your six guesses."
            )
        self._guesses.append(guess)
        solved = guess == self._answer
        self.reward = 1.0 if solved else 0.0
        self.done = solved or len(self._guesses) == GUESSES
        return f"{self._row(len(self._guesses))}\n{self._status()}"

    def _row(self, number: int) -> str:
        guess = self._guesses[number - 1]
        pairs = zip(guess, feedback(guess, self._answer), strict=True)
        marks = ", ".join(f"{letter} {colour}" for letter, colour in pairs)
        return f"Guess {number}: {guess} -> {marks}"

    def _status(self) -> str:
        left = GUESSES - len(self._guesses)
        if self.done:
            return "Solved!" if self.reward else f"No guesses left. The word was {self._answer}."
        return f"{left} {'guess' if left == 1 else 'guesses'} left."
