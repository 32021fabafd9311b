"""Names with accents and in other scripts, compared after NFC."""

import unicodedata


class InvalidAction(Exception):
    """Refused."""


class Cities:
    def __init__(self, task: dict, seed: int) -> None:
        self._task = task
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return f"The city: {self._task['city']}. The language: {self._task['language']}."

    def write_name(self, name: str) -> str:
        if self.done:
            raise InvalidAction("a name was written; the episode is over")
        if not name.strip():
            raise InvalidAction("the name is empty; write a name")
        self.done = True
        right = unicodedata.normalize("NFC", name.strip()) == self._task["native"]
        self.reward = 1.0 if right else 0.0
        return "Richtig, très bien, 正解!" if right else "Wrong."
