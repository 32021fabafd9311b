"""Extraction of invoice fields into a JSON object, with credit per field (TRL signature)."""
import json
import re

FENCE = re.compile(r"```(?:json)?\s*(\{.*?\})\s*```", re.S)
AMOUNTS = {"net", "tax", "total"}


def unique_keys(pairs):
    keys = [k for k, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError("duplicate key")
    return dict(pairs)


def parse_object(text):
    """The JSON object of a reply: in a fence, or the reply as a whole."""
    fenced = FENCE.findall(text)
    source = fenced[-1] if fenced else text.strip()
    try:
        data = json.loads(source, object_pairs_hook=unique_keys)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def same(key, got, want):
    if key in AMOUNTS:
        return is_number(got) and abs(got - want) < 0.005
    if not isinstance(got, str):
        return False
    return " ".join(got.split()).casefold() == " ".join(want.split()).casefold()


def field_score(pred, gold):
    hits = sum(1 for k, v in pred.items() if k in gold and same(k, v, gold[k]))
    return hits / len(pred)


def reward(completions, fields, **_):
    scores = []
    for completion, gold in zip(completions, fields):
        text = completion if isinstance(completion, str) else completion[-1]["content"]
        pred = parse_object(text)
        scores.append(field_score(pred, gold) if pred else 0.0)
    return scores
