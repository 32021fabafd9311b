"""Spelling correction with partial credit."""
import difflib
import re

MARK = re.compile(r"corrected\s*:\s*", re.I)


def extract(text):
    """What follows the last 'Corrected:'."""
    parts = MARK.split(text)
    if len(parts) < 2:
        return None
    return parts[-1].strip().strip('"“”*`').strip()


def tokens(text):
    text = text.replace("’", "'")
    return text.split()


def _text(completion):
    if isinstance(completion, list):
        return completion[-1]["content"]
    return completion


def word_score(pred, gold):
    """Share of the words that are right, after aligning the two texts."""
    matcher = difflib.SequenceMatcher(None, pred, gold, autojunk=False)
    right = sum(block.size for block in matcher.get_matching_blocks())
    return right / max(len(gold), len(pred))


def reward(completions, corrected, **_):
    scores = []
    for completion, gold in zip(completions, corrected):
        pred = extract(_text(completion))
        if not pred:
            scores.append(0.0)
            continue
        pred, gold = tokens(pred), tokens(gold)
        scores.append(1.0 if pred == gold else word_score(pred, gold))
    return scores
