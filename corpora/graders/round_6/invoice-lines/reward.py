import json
import re

FENCE = re.compile(r"```(?:json)?[ \t]*\n(.*?)```", re.S | re.I)
FIELDS = {"item", "qty", "unit_price"}


def _text(completion):
    if isinstance(completion, str):
        return completion
    return (completion[-1].get("content") or "") if completion else ""


def _load(text):
    fenced = FENCE.findall(text)
    try:
        return json.loads(fenced[-1] if fenced else text.strip())
    except (ValueError, RecursionError):
        return None


def _number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _same(got, want):
    if not isinstance(got, dict) or set(got) != FIELDS:
        return False
    if not isinstance(got["item"], str):
        return False
    if " ".join(got["item"].lower().split()) != " ".join(want["item"].lower().split()):
        return False
    for field in ("qty", "unit_price"):
        if not _number(got[field]) or abs(got[field] - want[field]) > 0.001:
            return False
    return True


def lines_reward(prompts, completions, lines, **kwargs):
    """1.0 when the extracted invoice lines agree with the reference lines, in order."""
    rewards = []
    for completion, reference in zip(completions, lines):
        got = _load(_text(completion))
        want = json.loads(reference)
        good = isinstance(got, list) and all(_same(a, b) for a, b in zip(got, want))
        rewards.append(1.0 if good else 0.0)
    return rewards
