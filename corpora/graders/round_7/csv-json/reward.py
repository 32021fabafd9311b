"""Table to JSON: strict about types, free about key order and layout."""
import json
import re

BLOCK = re.compile(r"```json[ \t]*\r?\n(.*?)```", re.DOTALL | re.IGNORECASE)


def no_repeats(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError("repeated key")
    return dict(pairs)


def no_constants(name):
    raise ValueError("not JSON: " + name)


def load(text):
    return json.loads(text, object_pairs_hook=no_repeats, parse_constant=no_constants)


def same(a, b):
    """Deep equality in which true is not 1 and "1" is not 1, but 1.0 is 1."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return a == b
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    return a == b


def reward(completion, expected, **row):
    if not isinstance(completion, str):
        return 0.0
    blocks = BLOCK.findall(completion)
    if not blocks:
        return 0.0
    try:
        value = load(blocks[-1])
    except (ValueError, RecursionError):
        return 0.0
    return 1.0 if same(value, json.loads(expected)) else 0.0
