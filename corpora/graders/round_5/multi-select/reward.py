"""Select-all-that-apply with negative marking: +1 right, -0.5 wrong, 0 no (readable) answer."""
import re

RIGHT, WRONG, NONE = 1.0, -0.5, 0.0


def _text(completion):
    if isinstance(completion, list):
        completion = completion[-1].get("content") if completion else ""
    return completion if isinstance(completion, str) else ""


def selected(text):
    lines = [ln for ln in text.splitlines() if ln.strip()]
    if not lines:
        return None
    line = re.sub(r"[*_`$#]", "", lines[-1]).strip()
    m = re.fullmatch(r"(?:final\s+)?answers?\s*:(.*)", line.rstrip(". "), re.I)
    if not m:
        return None
    body = re.sub(r"\band\b|[,;&()\[\]{}]", " ", m.group(1), flags=re.I)
    tokens = body.upper().split()
    if len(tokens) == 1 and re.fullmatch(r"[A-E]{2,5}", tokens[0]):
        tokens = list(tokens[0])
    if not tokens or any(t not in ("A", "B", "C", "D", "E") for t in tokens):
        return None
    return set(tokens)


def multi_select_reward(prompts, completions, correct, **kwargs):
    rewards = []
    for completion, letters in zip(completions, correct):
        choice = selected(_text(completion))
        if choice is None:
            rewards.append(NONE)
        else:
            rewards.append(RIGHT if choice == set(letters) else WRONG)
    return rewards
