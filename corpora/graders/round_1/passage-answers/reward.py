import re
from collections import Counter

STOP = {"the", "a", "an", "of", "to", "in", "and", "is", "was", "it"}


def _tokens(text):
    return [t for t in re.findall(r"[a-z0-9]+", text.lower()) if t not in STOP]


def reward(prompts, completions, reference, **kwargs):
    """Unigram recall of the reference answer."""
    scores = []
    for messages, ref in zip(completions, reference):
        gold, pred = Counter(_tokens(ref)), Counter(_tokens(messages[-1]["content"]))
        hit = sum((gold & pred).values())
        scores.append(round(hit / max(1, sum(gold.values())), 4))
    return scores
