"""Six yes/no questions; each answer is right with even chance, all six seldom."""

import random


class InvalidAction(Exception):
    """Refused."""


class YesNo:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} yes no")
        self._questions = []
        for _ in range(6):
            a, b, c = rng.randint(12, 99), rng.randint(12, 99), rng.randint(3, 9)
            right = rng.random() < 0.5  # "yes" is right as often as "no"
            rest = (a * b + (0 if right else rng.randint(1, c - 1))) % c
            self._questions.append((f"Does {a} x {b} leave {rest} when divided by {c}?", right))
        self._answers: list[bool] = []
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        number = len(self._answers)
        return f"Question {number + 1} of 6: {self._questions[number][0]}"

    def reply(self, answer: str) -> str:
        if self.done:
            raise InvalidAction("all six questions were answered; the episode is over")
        self._answers.append(answer == "yes")
        if len(self._answers) < 6:
            return self.observe()
        right = sum(given == truth for given, (_, truth) in zip(self._answers, self._questions))
        self.done = True
        self.reward = 1.0 if right == 6 else 0.0
        return f"That was the last question. {right} of 6 answers were right."
