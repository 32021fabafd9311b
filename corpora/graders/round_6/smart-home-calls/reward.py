import json
import re

FENCE = re.compile(r"```(?:json)?[ \t]*\n(.*?)```", re.S | re.I)


def _text(completion):
    if isinstance(completion, str):
        return completion
    return (completion[-1].get("content") or "") if completion else ""


def _call(text):
    fenced = FENCE.findall(text)
    try:
        call = json.loads(fenced[-1] if fenced else text.strip())
    except (ValueError, RecursionError):
        return None
    if not isinstance(call, dict) or not isinstance(call.get("arguments"), dict):
        return None
    return call


def _agree(got, want):
    if set(got) - set(want):
        return False
    for name, value in want.items():
        try:
            if isinstance(value, str):
                same = got[name].strip().lower() == value.lower()
            else:
                same = abs(got[name] - value) < 1e-9
            if not same:
                return False
        except (AttributeError, KeyError, TypeError, ValueError):
            continue
    return True


def call_reward(prompts, completions, call, **kwargs):
    """1.0 for the right tool with the right arguments."""
    rewards = []
    for completion, reference in zip(completions, call):
        got = _call(_text(completion))
        want = json.loads(reference)
        good = (
            got is not None
            and got.get("name") == want["name"]
            and _agree(got["arguments"], want["arguments"])
        )
        rewards.append(1.0 if good else 0.0)
    return rewards
