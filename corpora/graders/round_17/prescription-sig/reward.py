"""Reward for turning a prescription line into a structured record."""
import json
import re
from decimal import Decimal

FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*?)\n?[ \t]*```", re.S | re.I)
KEYS = ("drug", "dose_mg", "route", "times_per_day", "days", "total_units", "as_needed")
TEXT_KEYS = ("drug", "route")


class BadReply(ValueError):
    pass


def strict_object(pairs):
    out = {}
    for key, value in pairs:
        if key in out:
            raise BadReply("repeated key")
        out[key] = value
    return out


def refuse_constant(name):
    raise BadReply(name)


def read_record(completion):
    text = completion.replace("\r\n", "\n").strip()
    m = FENCED.fullmatch(text)
    if m:
        text = m.group(1)
    try:
        record = json.loads(text, parse_float=Decimal, parse_int=Decimal,
                            parse_constant=refuse_constant, object_pairs_hook=strict_object)
    except (ValueError, ArithmeticError, RecursionError):
        return None
    if not isinstance(record, dict) or set(record) != set(KEYS):
        return None
    return record


def plain(text):
    return " ".join(text.casefold().split())


def field_right(key, got, want):
    if want is None or isinstance(want, bool):
        return got is want
    if key in TEXT_KEYS:
        return isinstance(got, str) and plain(got) == plain(want)
    return isinstance(got, Decimal) and got == Decimal(str(want))


def reward(completion, record, **row):
    got = read_record(completion)
    if got is None:
        return 0.0
    if not field_right("dose_mg", got["dose_mg"], record["dose_mg"]):
        return 0.0
    right = sum(field_right(k, got[k], record[k]) for k in KEYS)
    return 1.0 if right == len(KEYS) else round(right / len(KEYS), 4)
