import json
import re

CALL = re.compile(r"<tool_call>\s*(.*?)\s*</tool_call>", re.S)


def _text(completion):
    if isinstance(completion, str):
        return completion
    return (completion[-1].get("content") or "") if completion else ""


def _calls(text):
    calls = []
    for body in CALL.findall(text):
        try:
            call = json.loads(body)
            if isinstance(call, dict) and isinstance(call.get("arguments"), str):
                call["arguments"] = json.loads(call["arguments"])
        except (ValueError, RecursionError):
            return None
        if not isinstance(call, dict) or set(call) != {"name", "arguments"}:
            return None
        calls.append(call)
    return calls


def _same(got, want):
    if isinstance(want, bool) or isinstance(got, bool):
        return got is want
    if isinstance(want, dict):
        return (
            isinstance(got, dict)
            and set(got) == set(want)
            and all(_same(got[key], want[key]) for key in want)
        )
    if isinstance(want, list):
        return (
            isinstance(got, list)
            and len(got) == len(want)
            and all(_same(a, b) for a, b in zip(got, want))
        )
    if isinstance(want, (int, float)):
        return isinstance(got, (int, float)) and got == want
    return type(got) is type(want) and got == want


def tools_reward(prompts, completions, calls, **kwargs):
    """1.0 when the calls made are exactly the wanted ones, in any order."""
    rewards = []
    for completion, reference in zip(completions, calls):
        got = _calls(_text(completion))
        left = list(got or [])
        good = got is not None
        for want in json.loads(reference):
            hit = next((k for k, call in enumerate(left) if _same(call, want)), None)
            if hit is None:
                good = False
                break
            left.pop(hit)
        rewards.append(1.0 if good and not left else 0.0)
    return rewards
