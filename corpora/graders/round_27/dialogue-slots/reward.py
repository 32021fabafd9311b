"""Slot filling for task dialogues: F1 over slot-value pairs."""
import json
import re

FENCE = re.compile(r"^[ \t]*```[^\n`]*\n(.*?)^[ \t]*```[ \t]*$", re.S | re.M)
NUMBER_SLOTS = {"people", "nights", "stars", "tickets"}
TIME_SLOTS = {"time", "leave_at", "arrive_by"}


def parse_reply(completion):
    """The JSON object of the last fenced block, or of the whole reply when there is no block."""
    text = completion.replace("\r\n", "\n")
    blocks = FENCE.findall(text)
    try:
        data = json.loads(blocks[-1] if blocks else text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def normal_time(text):
    match = re.fullmatch(r"([0-9]{1,2}):([0-9]{2})", text)
    if not match:
        return text
    return f"{int(match.group(1)):02d}:{match.group(2)}"


def normalise(slot, value):
    """Bring a value to its compared form: lower case, single spaces, no leading article."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, float)):
        if slot not in NUMBER_SLOTS or (isinstance(value, float) and not value.is_integer()):
            return None
        return str(int(value))
    if not isinstance(value, str):
        return None
    text = re.sub(r"\s+", " ", value).strip().lower()
    if slot in TIME_SLOTS:
        return normal_time(text)
    return re.sub(r"^(?:the|a|an) ", "", text)


def slot_f1(predicted, gold):
    """Micro F1 of one dialogue. A wrong value is a false positive and leaves the true value unfound."""
    tp = fp = fn = 0
    for slot, value in predicted.items():
        if slot not in gold:
            fp += 1
        elif normalise(slot, value) == normalise(slot, gold[slot]):
            tp += 1
        else:
            fp += 1
            fn += 1
    if tp == 0:
        return 0.0
    return 2 * tp / (2 * tp + fp + fn)


def reward(completion, slots, **row):
    predicted = parse_reply(completion)
    if predicted is None:
        return 0.0
    return round(slot_f1(predicted, slots), 4)
