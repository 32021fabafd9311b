"""Words of five letters; any that begins as the task asks is right."""

WORDS = (
    "grace grade grain grand grant grape grasp grass grate grave stack stage stain stair stale stamp "
    "stand stare start state crack craft crane crash crawl crazy cream creek creep crest plain plane "
    "plant plate plaza flame flank flare flash flask shade shake shame shape shard share shark sharp "
    "brace brain brake brand brass brave trace track trade trail train trait"
).split()


class InvalidAction(Exception):
    """Refused."""


class BeginsAsAsked:
    def __init__(self, task: dict, seed: int) -> None:
        self._start = task["start"]
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return f"The word begins with {self._start!r}."

    def name_word(self, word: str) -> str:
        if self.done:
            raise InvalidAction("a word was named; the episode is over")
        self.done = True
        self.reward = 1.0 if word in WORDS and word.startswith(self._start) else 0.0
        return "Right." if self.reward else "Wrong."
