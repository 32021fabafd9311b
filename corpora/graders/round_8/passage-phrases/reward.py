"""Reward for short answers to questions about a passage (SQuAD-style)."""
import re
import string

ANSWER = re.compile(r"^\s*\**answer\**\s*:\s*(.+?)\s*$", re.IGNORECASE | re.MULTILINE)
ARTICLES = re.compile(r"\b(a|an|the)\b")
PUNCTUATION = str.maketrans({c: " " for c in string.punctuation})


def normalise(text):
    """Lower case, no punctuation, no articles, single spaces."""
    text = text.lower().replace("’", "'").translate(PUNCTUATION)
    text = ARTICLES.sub(" ", text)
    return " ".join(text.split())


def extract_answer(text):
    """What follows the last 'Answer:'; nothing if the reply has no such line."""
    found = ANSWER.findall(text)
    return found[-1] if found else ""


def is_match(prediction, golds):
    prediction = normalise(prediction)
    if not prediction:
        return False
    return any(normalise(gold) in prediction for gold in golds)


def reward(completions, answers, **kwargs):
    """One score a reply: 1.0 if the answer line matches one of the gold answers."""
    scores = []
    for completion, golds in zip(completions, answers):
        if isinstance(completion, list):
            completion = completion[-1]["content"]
        prediction = extract_answer(completion)
        scores.append(1.0 if is_match(prediction, golds) else 0.0)
    return scores
