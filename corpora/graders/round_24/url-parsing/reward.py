"""Split a URL into its parts and report them as JSON."""
import json
import re

FIELDS = ("scheme", "host", "port", "path", "query", "fragment")
FENCE = re.compile(r"```(?:json)?[ \t]*\r?\n(.*?)```", re.S)


def load_object(completion):
    """The object in the last fenced block, or the whole reply when it is bare."""
    blocks = FENCE.findall(completion)
    text = blocks[-1] if blocks else completion
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def same_text(got, want):
    return isinstance(got, str) and got == want


def same_optional(got, want):
    if want is None:
        return got is None
    return same_text(got, want)


def same_port(got, want):
    if want is None:
        return got is None
    return isinstance(got, int) and not isinstance(got, bool) and got == want


def is_pair(item):
    return isinstance(item, list) and len(item) == 2 and all(isinstance(x, str) for x in item)


def same_query(got, want):
    """Decoded [name, value] pairs, in the order of the URL."""
    if not isinstance(got, list) or not all(is_pair(item) for item in got):
        return False
    for (name, value), (want_name, want_value) in zip(got, want):
        if name != want_name or value != want_value:
            return False
    return True


CHECKS = {
    "scheme": same_text,
    "host": same_text,
    "port": same_port,
    "path": same_text,
    "query": same_query,
    "fragment": same_optional,
}


def reward(completion, parts, **row) -> float:
    got = load_object(completion)
    if got is None or set(got) != set(FIELDS):
        return 0.0
    right = sum(CHECKS[name](got[name], parts[name]) for name in FIELDS)
    if right == len(FIELDS):
        return 1.0
    return 0.5 if right == len(FIELDS) - 1 else 0.0
