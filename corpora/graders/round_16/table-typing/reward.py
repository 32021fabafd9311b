"""Typed conversion of small CSV tables into JSON records."""
import json
import re

FENCE = re.compile(r"^```json[ \t]*\n(.*?)^```[ \t]*$", re.M | re.S | re.I)

JSON_TYPES = {
    "integer": int,
    "decimal": (int, float),
    "boolean": bool,
    "date": str,
    "code": str,
    "text": str,
}


def no_duplicates(pairs):
    record = dict(pairs)
    if len(record) != len(pairs):
        raise ValueError("duplicate key")
    return record


def reject_constant(name):
    raise ValueError(name)


def parse_records(completion):
    """The array of records in the last json block, or in the whole reply if there is none."""
    text = completion.replace("\r\n", "\n").strip()
    blocks = FENCE.findall(text)
    try:
        data = json.loads(
            blocks[-1] if blocks else text,
            object_pairs_hook=no_duplicates,
            parse_constant=reject_constant,
        )
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
        return None
    return data


def same_cell(got, want, kind):
    if want is None:
        return got is None
    return isinstance(got, JSON_TYPES[kind]) and got == want


def same_record(got, want, types):
    if got.keys() != types.keys():
        return False
    return all(same_cell(got[name], want[name], kind) for name, kind in types.items())


def reward(completion, types, records, **row):
    types, records = json.loads(types), json.loads(records)
    got = parse_records(completion)
    if got is None or len(got) != len(records):
        return 0.0
    return 1.0 if all(same_record(g, w, types) for g, w in zip(got, records)) else 0.0
