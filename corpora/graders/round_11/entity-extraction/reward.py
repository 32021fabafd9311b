"""Entity extraction reward: micro-F1 over (type, name) pairs of a JSON reply."""
import json
import re
import unicodedata

KEYS = ("people", "organisations", "places")
FENCE = re.compile(r"```(?:json)?\s*(.*?)\s*```", re.DOTALL | re.IGNORECASE)


def _name(text):
    """Case, Unicode form, apostrophe style and spacing do not matter."""
    text = unicodedata.normalize("NFC", text).replace("\u2019", "'")
    return " ".join(text.split()).casefold()


def _no_duplicates(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError("duplicate key")
    return dict(pairs)


def _pairs(data):
    """Set of (key, name); ValueError unless the object has the shape that the prompt asks for."""
    if not isinstance(data, dict) or set(data) != set(KEYS):
        raise ValueError("wrong keys")
    found = set()
    for key in KEYS:
        if not isinstance(data[key], list) or not all(isinstance(name, str) for name in data[key]):
            raise ValueError("not a list of strings")
        found.update((key, _name(name)) for name in data[key])
    return found


def reward(completion, entities, **row):
    text = completion.strip()
    fenced = FENCE.fullmatch(text)
    if fenced:
        text = fenced.group(1)
    try:
        given = _pairs(json.loads(text, object_pairs_hook=_no_duplicates))
    except (ValueError, RecursionError):
        return 0.0
    gold = _pairs(json.loads(entities))
    hits = len(given & gold)
    if hits == 0:
        return 0.0
    precision = hits / len(given)
    recall = hits / len(gold)
    return 2 * precision * recall / (precision + recall)
