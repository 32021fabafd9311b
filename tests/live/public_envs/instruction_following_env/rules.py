"""Checks of prose: no answer is extracted, the text itself follows an instruction or not."""

import re
from collections import Counter

DIFFERENT = 12
"""Different words that a text has at least."""
COMMON = frozenset(
    {"the", "a", "an", "of", "in", "to", "is", "are", "was", "were", "it", "that", "what", "when"}
    | {"my", "we", "you", "people", "some"}
)
"""Words of which every English text has a few."""
SHARE = 0.2
"""Share of a text that one word makes up at most."""


class InvalidAction(Exception):
    """Never raised: every text is graded."""


def words(text: str) -> list[str]:
    """The words of a text, in lower case."""
    return re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)?", text.lower())


def sentences(text: str) -> list[str]:
    """The sentences of a text: parts that end with a full stop, an exclamation or a question mark."""
    return [part for part in re.split(r"(?<=[.!?])\s+", text.strip()) if words(part)]


def paragraphs(text: str) -> list[str]:
    """The paragraphs: parts between empty lines."""
    return [part for part in re.split(r"\n\s*\n", text.strip()) if words(part)]


CHECKS = {
    "words": lambda text, n: n <= len(words(text)) <= n + 20,
    "sentences": lambda text, n: len(sentences(text)) == n,
    "paragraphs": lambda text, n: len(paragraphs(text)) == n,
    "no_comma": lambda text, n: "," not in text,
    "lower": lambda text, n: text == text.lower(),
    "avoid": lambda text, word: word not in words(text),
    "mention": lambda text, word: words(text).count(word) == 2,
    "begin": lambda text, word: words(text)[:1] == [word],
    "end": lambda text, phrase: text.rstrip().endswith(phrase),
}
SENTENCES = {
    "words": "Use {0} to {1} words.",
    "sentences": "Write exactly {0} sentences.",
    "paragraphs": "Write exactly {0} paragraphs, with an empty line between them.",
    "no_comma": "Use no comma.",
    "lower": "Use no capital letters.",
    "avoid": 'Do not use the word "{0}".',
    "mention": 'Use the word "{0}" exactly twice.',
    "begin": 'Begin with the word "{0}".',
    "end": 'End with "{0}", and write nothing after it.',
}


def is_prose(text: str, topic: str) -> bool:
    """Whether a text is about its topic, in English, and repeats no word too often."""
    found = words(text)
    long = Counter(word for word in found if len(word) > 2)
    often = max(long.values(), default=0)
    about = topic in found and len(COMMON.intersection(found)) >= 3
    return about and len(set(found)) >= DIFFERENT and often <= SHARE * len(found)


class InstructionFollowing:
    """One text."""

    def __init__(self, task: dict, seed: int) -> None:
        self.topic: str = task["topic"]
        self.asked: list[list] = task["instructions"]
        self.reward, self.done = 0.0, False

    def observe(self) -> str:
        """The instructions, a line each."""
        lines = []
        for kind, value in self.asked:
            more = value + 20 if isinstance(value, int) else ""
            lines.append(f"- {SENTENCES[kind].format(value, more)}")
        return "\n".join(lines)

    def message(self, text: str) -> str:
        """Grade a text."""
        self.done = True
        if is_prose(text, self.topic):
            followed = sum(bool(CHECKS[kind](text, value)) for kind, value in self.asked)
            self.reward = round(followed / len(self.asked), 6)
        return "The text is graded."
