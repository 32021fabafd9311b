"""Short letters: code looks at length, facts and forbidden words, and a judge rates what code cannot see."""

import re

CODE, JUDGED = 0.6, 0.4
"""Shares of the reward."""


class InvalidAction(Exception):
    """Never raised: every letter is scored."""


def words(text):
    """The words and numbers of a text, in lower case."""
    return re.findall(r"[a-z0-9]+(?:['.:][a-z0-9]+)*", text.lower())


def contains(text, phrase):
    """Whether the words of a phrase follow each other in a text."""
    return f" {' '.join(words(phrase))} " in f" {' '.join(words(text))} "


def share(text, task):
    """The share of the facts that a letter states; 0 if its length or a word is not allowed."""
    shortest, longest = task["length"]
    if not shortest <= len(words(text)) <= longest:
        return 0.0
    if any(contains(text, word) for word in task["forbidden"]):
        return 0.0
    return sum(contains(text, fact) for fact in task["facts"]) / len(task["facts"])


def described(criterion):
    """What a criterion asks for; one without a scale of its own is only a sentence."""
    return criterion if isinstance(criterion, str) else criterion["description"]


class ShortLetter:
    def __init__(self, task, seed, models):
        self.task, self.judge = task, models.judge
        self.reward, self.done = 0.0, False

    def observe(self):
        task = self.task
        facts = "\n".join(f"- {fact}" for fact in task["facts"])
        rated = "\n".join(f"- {described(each)}" for each in task["criteria"].values())
        return (
            f"{task['brief']}\nThe letter contains these words exactly:\n{facts}\n"
            f"It does not contain: {', '.join(task['forbidden'])}.\n"
            f"It has {task['length'][0]} to {task['length'][1]} words.\nRated are:\n{rated}"
        )

    def message(self, text):
        self.done = True
        found = share(text, self.task)
        self.reward = CODE * found
        if found < 1:
            return f"The letter states {found:.0%} of the facts as asked."
        self.reward += JUDGED * self.judge.rate(text, prompt=self.task["brief"]).score
        return "The letter meets the brief, and was rated."
