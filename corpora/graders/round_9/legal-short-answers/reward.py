"""Short-answer QA over contract, statute and news passages (SQuAD-style scoring)."""
import re
import string
from collections import Counter

ARTICLES = re.compile(r"\b(a|an|the)\b")
ANSWER_RE = re.compile(r"^\s*\**\s*answer\s*\**\s*:\s*\**\s*(.+?)\s*$", re.IGNORECASE | re.MULTILINE)


def normalize_answer(text):
    """Lower-case, drop punctuation, articles and extra white space."""
    text = text.lower()
    text = text.replace("’", "'").replace("–", "-").replace("-", " ")
    text = "".join(ch for ch in text if ch not in set(string.punctuation))
    text = ARTICLES.sub(" ", text)
    return " ".join(text.split())


def extract_answer(completion):
    found = ANSWER_RE.findall(completion)
    return found[-1] if found else None


def exact_match(prediction, gold):
    return normalize_answer(prediction) == normalize_answer(gold)


def f1_score(prediction, gold):
    pred_tokens = normalize_answer(prediction).split()
    gold_tokens = normalize_answer(gold).split()
    if not pred_tokens or not gold_tokens:
        return 0.0
    common = Counter(pred_tokens) & Counter(gold_tokens)
    same = sum(common.values())
    if same == 0:
        return 0.0
    precision = same / len(pred_tokens)
    recall = same / len(gold_tokens)
    return 2 * precision * recall / (precision + recall)


def reward(completions, answers, **columns):
    """TRL reward: 1.0 for a correct short answer, else 0.0.

    `answers` holds, per sample, the list of accepted wordings. An exact match
    always counts; otherwise the best token F1 over the wordings decides, so that
    a longer or shorter span around the right words is not punished.
    """
    scores = []
    for completion, accepted in zip(completions, answers):
        if isinstance(completion, list):
            completion = completion[-1]["content"]
        prediction = extract_answer(completion)
        if prediction is None:
            scores.append(0.0)
            continue
        if any(exact_match(prediction, gold) for gold in accepted):
            scores.append(1.0)
            continue
        best = max(f1_score(prediction, gold) for gold in accepted)
        scores.append(1.0 if best >= 0.5 else 0.0)
    return scores
