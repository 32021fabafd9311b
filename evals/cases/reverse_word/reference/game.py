"""The game of writing a word backwards in two tries."""


class InvalidAction(Exception):
    """An action that is not allowed. The player gets the reason and may try again."""


class ReverseWord:
    """One word. The reward is 1 for a correct first try, and a half for a correct second try."""

    def __init__(self, task: dict, seed: int) -> None:
        self.word: str = task["word"]
        self.tries = 0
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return f"WORD: {self.word}"

    def answer(self, word: str) -> str:
        if self.done:
            raise InvalidAction("the word is done")
        self.tries += 1
        if word.strip().lower() == self.word[::-1].lower():
            self.reward, self.done = 1.0 if self.tries == 1 else 0.5, True
            return "VERDICT: right"
        self.done = self.tries == 2
        return "VERDICT: wrong\n" + ("No tries left." if self.done else "One try left.")
