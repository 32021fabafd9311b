"""Fill a booking form from a message. Field-level credit, as in the prompt."""
import json
import re

MISSING = object()


def find_json(text):
    """Last ```json block if there is one, otherwise the outermost braces."""
    blocks = re.findall(r"```(?:json)?\s*(\{.*?\})\s*```", text, re.S)
    if blocks:
        raw = blocks[-1]
    else:
        start, end = text.find("{"), text.rfind("}")
        if start < 0 or end < start:
            return None
        raw = text[start:end + 1]
    try:
        obj = json.loads(raw)
    except json.JSONDecodeError:
        return None
    return obj if isinstance(obj, dict) else None


def same(value, gold):
    if gold is MISSING:
        return False
    if gold is None or isinstance(gold, bool):
        return value is gold
    if isinstance(gold, (int, float)):
        return isinstance(value, (int, float)) and not isinstance(value, bool) and value == gold
    if isinstance(gold, str):
        return isinstance(value, str) and value.strip().casefold() == gold.casefold()
    if isinstance(gold, list):
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            return False
        return sorted(v.strip().casefold() for v in value) == sorted(v.casefold() for v in gold)
    return value == gold


def score_form(form, gold):
    if not form:
        return 0.0
    hits = 0
    for field, value in form.items():
        # invented fields have no gold value and count as errors
        if same(value, gold.get(field, MISSING)):
            hits += 1
    return hits / len(form)


def reward(completion, gold, **row):
    text = completion if isinstance(completion, str) else completion[-1]["content"]
    form = find_json(text)
    if form is None:
        return 0.0
    return score_form(form, gold)
