"""Cooking scale: look a weight up in the table, scale it, answer in grams."""
import re

FENCE = re.compile(r"```.*?```", re.S)
ANSWER = re.compile(
    r"^[\s>*_]*answer[\s*_]*:[\s*_$]*"
    r"(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"\s*(?:g|gram|grams)?[\s.*_$]*$",
    re.I | re.M,
)

# answers are whole grams or end in .5; the prompt asks for the exact figure
TOLERANCE = 0.01


def grams(text):
    """Grams on the last answer line, or None when there is none."""
    found = ANSWER.findall(FENCE.sub("", text))
    if not found:
        return None
    return float(found[-1].replace(",", ""))


def score_one(text, gold):
    value = grams(text)
    if value is None:
        return 0.0
    return 1.0 if abs(value - gold) <= TOLERANCE else 0.0


def reward(completions, grams_needed, **columns):
    """TRL style: one score per completion."""
    scores = []
    for completion, gold in zip(completions, grams_needed):
        if isinstance(completion, list):
            completion = completion[-1]["content"]
        scores.append(score_one(completion, float(gold)))
    return scores
