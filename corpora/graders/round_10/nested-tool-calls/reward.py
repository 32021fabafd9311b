"""Tool calls with nested arguments, compared with the reference call."""
import json
import re

CALL = re.compile(r"<tool_call>\s*(.*?)\s*</tool_call>", re.S)


def parse_call(text):
    """The one tool call of the reply, or None."""
    found = CALL.findall(text)
    if len(found) != 1:
        return None
    try:
        call = json.loads(found[0])
    except ValueError:
        return None
    if not isinstance(call, dict) or not isinstance(call.get("arguments"), dict):
        return None
    return call


def match_value(gold, pred):
    """Compare one argument value; goes down into objects and lists."""
    if isinstance(gold, dict):
        if not isinstance(pred, dict):
            return False
        return all(k in gold and match_value(gold[k], v) for k, v in pred.items())
    if isinstance(gold, list):
        if not isinstance(pred, list) or len(gold) != len(pred):
            return False
        return all(match_value(g, p) for g, p in zip(gold, pred))
    if isinstance(gold, bool) or isinstance(pred, bool):
        return gold is pred
    if isinstance(gold, (int, float)):
        return isinstance(pred, (int, float)) and abs(gold - pred) < 1e-9
    if isinstance(gold, str):
        return isinstance(pred, str) and gold.strip().lower() == pred.strip().lower()
    return gold == pred


def match_arguments(gold, pred):
    if set(gold) != set(pred):
        return False
    return all(match_value(gold[name], pred[name]) for name in gold)


def reward(completion, call, **_):
    gold = json.loads(call)
    pred = parse_call(completion)
    if pred is None or pred.get("name") != gold["name"]:
        return 0.0
    return 1.0 if match_arguments(gold["arguments"], pred["arguments"]) else 0.0
