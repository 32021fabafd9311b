"""Extraction of invoice headers; a quarter of the pay for each of the four fields."""
import json
import re
import unicodedata
from decimal import Decimal

FIELDS = ("vendor", "date", "currency", "total")
FENCE = re.compile(r"```[A-Za-z0-9]{0,12}(.*)```", re.S)


class _Bad(ValueError):
    pass


def _pairs(pairs):
    d = dict(pairs)
    if len(d) != len(pairs):
        raise _Bad("key given twice")
    return d


def _constant(name):
    raise _Bad(name)


def parse(reply):
    if not isinstance(reply, str):
        return None
    s = reply.strip()
    m = FENCE.fullmatch(s)
    if m:
        s = m.group(1).strip()
    try:
        obj = json.loads(s, object_pairs_hook=_pairs, parse_float=Decimal, parse_constant=_constant)
    except (ValueError, ArithmeticError, RecursionError):
        return None
    if not isinstance(obj, dict) or set(obj) - set(FIELDS):
        return None
    return obj


def _norm(s):
    s = unicodedata.normalize("NFC", s).replace("\u2019", "'")
    return " ".join(s.split()).rstrip(". ").casefold()


def field_ok(name, got, want):
    if name == "total":
        if isinstance(got, bool) or not isinstance(got, (int, Decimal)):
            return False
        return got == Decimal(str(want))
    if name == "vendor":
        return isinstance(got, str) and _norm(got) == _norm(want)
    return isinstance(got, str) and got.strip() == want


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    gold = json.loads(ground_truth) if isinstance(ground_truth, str) else ground_truth
    obj = parse(solution_str)
    if obj is None:
        return {"score": 0.0, "valid_json": 0}
    right = sum(field_ok(f, obj[f], gold[f]) for f in FIELDS if f in obj)
    return {"score": right / len(FIELDS), "valid_json": 1}
