"""CSV to JSON. TRL signature. Values are compared with their JSON types."""
import json
import re

FENCE = re.compile(r"\A```(?:json)?[ \t]*\n(.*)\n?```\Z", re.S | re.I)


class DuplicateKey(ValueError):
    pass


def _object(pairs):
    out = {}
    for k, v in pairs:
        if k in out:
            raise DuplicateKey(k)
        out[k] = v
    return out


def _no_constant(name):
    raise ValueError(f"{name} is not JSON")


def _load(text):
    text = text.strip()
    m = FENCE.match(text)
    if m:
        text = m.group(1)
    return json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)


def _same(got, want):
    # bool is an int in Python, so it has to be looked at first
    if isinstance(got, bool) or isinstance(want, bool):
        return got is want
    if isinstance(want, (int, float)):
        return isinstance(got, (int, float)) and abs(got - want) < 1e-9
    if isinstance(want, dict):
        return (isinstance(got, dict) and got.keys() == want.keys()
                and all(_same(got[k], want[k]) for k in want))
    if isinstance(want, list):
        return (isinstance(got, list) and len(got) == len(want)
                and all(_same(g, w) for g, w in zip(got, want)))
    return type(got) is type(want) and got == want


def _text(completion):
    if isinstance(completion, list):           # chat format
        return completion[-1]["content"]
    return completion


def reward(completions, expected, **_):
    scores = []
    for completion, want in zip(completions, expected):
        try:
            got = _load(_text(completion))
        except (ValueError, RecursionError):
            scores.append(0.0)
            continue
        scores.append(1.0 if _same(got, json.loads(want)) else 0.0)
    return scores
