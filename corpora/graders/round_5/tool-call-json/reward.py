import json
import re

CALL = re.compile(r"<tool_call>(.*?)</tool_call>", re.DOTALL)


def _no_duplicates(pairs):
    out = {}
    for k, v in pairs:
        if k in out:
            raise ValueError("duplicate key %r" % k)
        out[k] = v
    return out


def _same(a, b):
    """JSON equality: key order is free, list order is not, true is not 1."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_same(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(_same(x, y) for x, y in zip(a, b))
    if isinstance(a, str) and isinstance(b, str):
        return a.strip() == b.strip()
    return a == b


def tool_call_reward(prompts, completions, expected_call, **kwargs):
    """1.0 for the right call, 0.2 for the right tool with other arguments, else 0.0"""
    scores = []
    for completion, target in zip(completions, expected_call):
        text = completion if isinstance(completion, str) else completion[0]["content"]
        text = text.split("</think>")[-1]
        calls = CALL.findall(text)
        if len(calls) != 1:
            scores.append(0.0)
            continue
        try:
            call = json.loads(calls[0], object_pairs_hook=_no_duplicates)
        except (ValueError, RecursionError):
            scores.append(0.0)
            continue
        if call.get("name") != target["name"]:
            scores.append(0.0)
        elif set(call) == {"name", "arguments"} and _same(call["arguments"], target["arguments"]):
            scores.append(1.0)
        else:
            scores.append(0.2)
    return scores
