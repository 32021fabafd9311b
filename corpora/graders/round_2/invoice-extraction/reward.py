import json
import re
import unicodedata
from decimal import Decimal


class _Bad(ValueError):
    pass


def _pairs(pairs):
    d = dict(pairs)
    if len(d) != len(pairs):
        raise _Bad("duplicate key")
    return d


def _const(name):
    raise _Bad(name)


def _same(a, b):
    if isinstance(a, bool) or isinstance(b, bool):
        return isinstance(a, bool) and isinstance(b, bool) and a == b
    if a is None or b is None:
        return a is None and b is None
    if isinstance(a, (int, Decimal)) and isinstance(b, (int, Decimal)):
        return a == b
    if isinstance(a, str) and isinstance(b, str):
        a, b = (re.sub(r"\s+", " ", unicodedata.normalize("NFC", x)).strip() for x in (a, b))
        return a == b
    return False


def reward(completion, row):
    """All keys right -> 1, anything else -> 0. Duplicate or extra keys are errors."""
    text = completion.strip()
    fence = re.fullmatch(r"```(?:json)?[ \t]*\r?\n(.*?)\r?\n?```", text, re.DOTALL | re.IGNORECASE)
    if fence:
        text = fence.group(1)
    if len(text) > 2000:
        return 0.0
    try:
        got = json.loads(text, object_pairs_hook=_pairs, parse_constant=_const, parse_float=Decimal)
    except (ValueError, ArithmeticError, RecursionError):
        return 0.0
    want = json.loads(row["record"], parse_float=Decimal)
    if not isinstance(got, dict) or set(got) != set(want):
        return 0.0
    return 1.0 if all(_same(got[k], want[k]) for k in want) else 0.0
