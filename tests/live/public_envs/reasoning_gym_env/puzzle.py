"""A puzzle that Reasoning Gym generates from the seed, and its own score of an answer."""

import re

import reasoning_gym

ANSWER = re.compile(r"<answer>((?:(?!</?answer>).)*)</answer>", re.DOTALL)


class InvalidAction(Exception):
    """Never raised: every message is scored."""


class ReasoningGymTen:
    """One puzzle, one message."""

    def __init__(self, task: dict, seed: int) -> None:
        self.data = reasoning_gym.create_dataset(task["generator"], size=1, seed=seed)
        self.entry = self.data[0]
        self.reward, self.done = 0.0, False

    def observe(self) -> str:
        """The puzzle."""
        return self.entry["question"]

    def message(self, text: str) -> str:
        """Score the answer of a message."""
        self.done = True
        found = ANSWER.findall(text)
        if len(found) == 1 and found[0].strip():
            try:
                score = float(self.data.score_answer(found[0].strip(), self.entry))
            except ValueError:  # prime_factorization raises it for what is not a number
                score = 0.0
            # Its scores for a wrong answer, 0.01 and the like, are rewards for the form alone.
            self.reward = score if score > 0.1 else 0.0
        return "The puzzle is over."
