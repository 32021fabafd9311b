"""Reward for three-way natural language inference, TRL style."""
import re

ID2LABEL = {0: "entailment", 1: "neutral", 2: "contradiction"}
ALIASES = {
    "entailment": "entailment",
    "entails": "entailment",
    "entailed": "entailment",
    "neutral": "neutral",
    "contradiction": "contradiction",
    "contradicts": "contradiction",
    "contradictory": "contradiction",
}
TAG_RE = re.compile(r"<label>(.*?)</label>", re.IGNORECASE | re.DOTALL)


def _text(completion):
    """Completions arrive as plain strings or as chat messages."""
    if isinstance(completion, str):
        return completion
    return completion[-1]["content"]


def parse_label(text):
    """The label inside the only <label> tag, or None when there is none or several."""
    found = TAG_RE.findall(text)
    if len(found) != 1:
        return None
    word = found[0].strip().strip(".*`'\"").lower()
    return ALIASES.get(word)


def reward(completions, label, **columns):
    """1.0 for the right label, else 0.0; anything outside the three labels is 0.0."""
    scores = []
    for completion, gold in zip(completions, label):
        predicted = parse_label(_text(completion))
        if predicted is None:
            scores.append(0.0)
            continue
        scores.append(1.0 if predicted == ID2LABEL[int(gold)] else 0.0)
    return scores
