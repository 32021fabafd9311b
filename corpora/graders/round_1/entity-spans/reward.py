import json
from collections import Counter


def _pairs(data):
    if not isinstance(data, list):
        return None
    pairs = []
    for item in data:
        if not (isinstance(item, list) and len(item) == 2 and all(isinstance(x, str) for x in item)):
            return None
        pairs.append((item[0].strip(), item[1].strip().upper()))
    return Counter(pairs)


def _f1(pred, gold):
    if not pred and not gold:
        return 1.0
    hit = sum((pred & gold).values())
    return 2.0 * hit / (sum(pred.values()) + sum(gold.values()))


def reward_func(queries, prompts, labels, **kwargs):
    rewards = []
    for query, prompt, label in zip(queries, prompts, labels):
        reply = query[len(prompt):] if query.startswith(prompt) else query
        try:
            pred = _pairs(json.loads(reply))
        except (ValueError, RecursionError):
            pred = None
        rewards.append(0.0 if pred is None else _f1(pred, _pairs(json.loads(label))))
    return rewards
