"""Reward for bank statement categorisation (TRL signature).

`labels` holds the gold categories as "1=Cash; 2=Groceries; ...".  The reward is the share of
lines in the right category.
"""
import json
import re

FENCE = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL | re.IGNORECASE)
_GOLD = {}  # statement -> parsed labels; every statement is scored num_generations times


def parse_labels(statement, labels):
    """Parse the gold labels of a statement once and keep them."""
    if statement not in _GOLD:
        pairs = (part.split("=", 1) for part in labels.split(";"))
        _GOLD[statement] = {number.strip(): category.strip() for number, category in pairs}
    return _GOLD[statement]


def text_of(completion):
    """Plain string, or the last message of a conversational completion."""
    if isinstance(completion, list):
        return completion[-1]["content"]
    return completion


def read_answer(text):
    """The JSON object of the reply as {line number: category}, or None."""
    fenced = FENCE.findall(text)
    if fenced:
        body = fenced[-1]
    else:
        start, end = text.find("{"), text.rfind("}")
        if start < 0 or end < start:
            return None
        body = text[start : end + 1]
    try:
        data = json.loads(body)
    except ValueError:
        return None
    if not isinstance(data, dict):
        return None
    return {str(key).strip(): value.strip() for key, value in data.items() if isinstance(value, str)}


def reward(completions, statement, labels, **columns):
    rewards = []
    for completion, name, raw in zip(completions, statement, labels):
        gold = parse_labels(name, raw)
        answer = read_answer(text_of(completion))
        if answer is None:
            rewards.append(0.0)
            continue
        right = sum(answer.get(number, "").lower() == category.lower() for number, category in gold.items())
        rewards.append(right / len(gold))
    return rewards
