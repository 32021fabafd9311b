import math
import re


def divisors_reward(prompts, completions, a, b, **kwargs):
    """All common positive divisors, in any order, each once."""
    scores = []
    for completion, x, y in zip(completions, a, b):
        text = completion[-1]["content"].strip().strip("`$*").rstrip(".").strip()
        if len(text) > 2 and text[0] + text[-1] in ("[]", "{}", "()"):
            text = text[1:-1]
        parts = [p.strip() for p in text.split(",")]
        if not all(re.fullmatch(r"[0-9]{1,9}", p) for p in parts):
            scores.append(0.0)
            continue
        said = [int(p) for p in parts]
        g = math.gcd(x, y)
        want = {d for d in range(1, g + 1) if g % d == 0}
        scores.append(1.0 if len(said) == len(set(said)) and set(said) == want else 0.0)
    return scores
