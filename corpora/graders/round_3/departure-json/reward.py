import json
import re


def _parse(text):
    fenced = re.search(r"```(?:json)?\s*(\{.*\})\s*```", text, re.DOTALL)
    try:
        value = json.loads(fenced.group(1) if fenced else text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def json_reward(prompts, completions, record, **kwargs):
    rewards = []
    for completion, gold in zip(completions, record):
        pred = _parse(completion[0]["content"])
        if pred is None:
            rewards.append(0.0)
        else:
            rewards.append(float(all(
                k in gold and type(v) is type(gold[k]) and gold[k] == v for k, v in pred.items())))
    return rewards
