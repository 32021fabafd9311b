import re

LINE = re.compile(r"^[ \t*_]*answer[ \t*_]*:[ \t*_]*(.*?)[ \t*_]*$", re.I | re.M)


def _text(completion):
    if isinstance(completion, str):
        return completion
    return (completion[-1].get("content") or "") if completion else ""


def _numbers(text):
    lines = LINE.findall(text)
    if not lines:
        return None
    body = lines[-1].replace("\u2212", "-").replace("$", "").strip().rstrip(".").strip()
    for left, right in ("[]", "{}", "()"):
        if body.startswith(left) and body.endswith(right):
            body = body[1:-1].strip()
    parts = [p for p in re.split(r"\s*(?:,\s*and\b|[,;]|\band\b)\s*|\s+", body) if p]
    if not parts or not all(re.fullmatch(r"[+-]?[0-9]{1,9}", p) for p in parts):
        return None
    return [int(p) for p in parts]


def list_reward(prompts, completions, values, **kwargs):
    """1.0 when the answer line holds exactly the wanted numbers, each once."""
    rewards = []
    for completion, want in zip(completions, values):
        got = _numbers(_text(completion))
        good = got is not None and sorted(got) == sorted(want)
        rewards.append(1.0 if good else 0.0)
    return rewards
