"""Reward for turning a note into a JSON record (TRL style)."""
import json
import re

FENCE = re.compile(r"```(?:json)?\s*\n(.*?)```", re.S | re.I)


def _load(text):
    """The JSON object in the reply: the last code block, else the outermost braces."""
    blocks = FENCE.findall(text)
    if blocks:
        raw = blocks[-1]
    else:
        start, end = text.find("{"), text.rfind("}")
        if start < 0 or end < start:
            return None
        raw = text[start:end + 1]
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _text(value):
    return re.sub(r"\s+", " ", value).strip()


def _same(got, want):
    """Deep comparison with strict types (true is not 1, "3" is not 3)."""
    if type(got) is not type(want):
        return False
    if isinstance(want, dict):
        return got.keys() == want.keys() and all(_same(got[k], want[k]) for k in want)
    if isinstance(want, list):
        return all(_same(g, w) for g, w in zip(got, want))
    if isinstance(want, str):
        return _text(got) == _text(want)
    return got == want


def reward(completions, record, **_):
    """1.0 if the reply's object equals the record, else 0.0.

    record: column of JSON texts (datasets cannot hold mixed objects).
    """
    scores = []
    for completion, want in zip(completions, record):
        text = completion if isinstance(completion, str) else completion[-1]["content"]
        got = _load(text)
        if got is None:
            scores.append(0.0)
            continue
        scores.append(1.0 if _same(got, json.loads(want)) else 0.0)
    return scores
