"""Questions over a JSON document; the reply is a JSON array."""
import json
import re
from decimal import Decimal

BLOCK = re.compile(r"```json[ \t]*\r?\n(.*?)```", re.S)
WRONG_ORDER = 0.5


def _refuse(name):
    raise ValueError(f"{name} is not JSON")


def _unique_keys(pairs):
    out = dict(pairs)
    if len(out) != len(pairs):
        raise ValueError("repeated key")
    return out


def parse_reply(completion):
    blocks = BLOCK.findall(completion)
    if not blocks:
        return None
    try:
        value = json.loads(
            blocks[-1],
            parse_float=Decimal,
            parse_constant=_refuse,
            object_pairs_hook=_unique_keys,
        )
    except (ValueError, ArithmeticError, RecursionError):
        return None
    return value if isinstance(value, list) else None


def is_number(value):
    return isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)


def as_decimal(value):
    return Decimal(repr(value)) if isinstance(value, float) else Decimal(value)


def same(a, b):
    """Equality of JSON values: 3 is 3.0, true is not 1, key order is free."""
    if is_number(a) and is_number(b):
        return as_decimal(a) == as_decimal(b)
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    return a == b


def same_bag(got, want):
    """Equal as multisets."""
    if len(got) != len(want):
        return False
    rest = list(want)
    for item in got:
        for i, other in enumerate(rest):
            if same(item, other):
                del rest[i]
                break
        else:
            return False
    return True


def reward(completion, expected, ordered, **row) -> float:
    got = parse_reply(completion)
    if got is None:
        return 0.0
    if not same_bag(got, expected):
        return 0.0
    if ordered and not same(got, expected):
        return WRONG_ORDER
    return 1.0
