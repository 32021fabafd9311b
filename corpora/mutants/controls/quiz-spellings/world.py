"""A quiz question; answers are compared without case, accents, punctuation, spaces and an article."""

import re
import unicodedata

ARTICLES = {"a", "an", "the"}
TRIES = 2


class InvalidAction(Exception):
    """Refused; nothing has changed."""


def plain(text: str) -> str:
    """What of an answer counts: its letters and digits, small and without accents."""
    spread = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(sign for sign in spread if not unicodedata.combining(sign))
    bare = re.sub(r"['’‘`ʼ]", "", bare)
    words = re.sub(r"[\W_]+", " ", bare).split()
    if len(words) > 1 and words[0] in ARTICLES:
        words = words[1:]
    return "".join(words)


class QuizSpellings:
    """`reward` is 1.0 or 0.5 after a right answer, by the try."""

    def __init__(self, task: dict, seed: int) -> None:
        self._question = task["question"]
        self._accepted = {plain(form) for form in task["accepted"]}
        self._tries = TRIES
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return f"Question: {self._question}\nTries left: {self._tries}."

    def answer(self, text: str) -> str:
        if self.done:
            raise InvalidAction("the question is closed; the episode is over")
        said = plain(text)
        if not said:
            raise InvalidAction("an answer with no letter or digit is not taken; give a name or a word")
        self._tries -= 1
        if said in self._accepted:
            self.reward = 1.0 if self._tries == TRIES - 1 else 0.5
            self.done = True
            return "Right."
        self.done = not self._tries
        return f"Wrong. Tries left: {self._tries}."
