import json
import re


def _load(text):
    m = re.search(r"```(?:json)?\s*(.*?)```", text, re.DOTALL)
    try:
        return json.loads((m.group(1) if m else text).strip())
    except (ValueError, RecursionError):
        return None


def _same(a, b):
    if isinstance(a, str) and isinstance(b, str):
        return a.strip().casefold() == b.strip().casefold()
    return type(a) is type(b) and a == b


def booking_reward(prompts, completions, booking, **kwargs):
    """The booking as JSON; unknown extra keys are tolerated."""
    scores = []
    for completion, gold in zip(completions, booking):
        data = _load(completion[-1]["content"])
        if not isinstance(data, dict):
            scores.append(0.0)
            continue
        ok = all(_same(value, gold[key]) for key, value in data.items() if key in gold)
        scores.append(1.0 if ok else 0.0)
    return scores
