REL_TOL = 0.01


def _number(text):
    lines = [l for l in text.strip().splitlines() if l.strip()]
    if not lines:
        return None
    try:
        return float(lines[-1].strip().strip("*").replace(",", ""))
    except ValueError:
        return None


def _close(a, b):
    return abs(a - b) <= REL_TOL * max(abs(a), abs(b))


def physics_reward(prompts, completions, target, **kwargs):
    scores = []
    for completion, want in zip(completions, target):
        got = _number(completion)
        scores.append(1.0 if got is not None and _close(got, want) else 0.0)
    return scores
