import re

FINAL = re.compile(r"final: (yes|no)", re.I | re.A)


def reward(prompts, completions, label, **kwargs):
    """+1 right, -1 wrong, 0 for a reply without the final line."""
    scores = []
    for text, gold in zip(completions, label):
        lines = [ln.strip() for ln in text.split("\n") if ln.strip()]
        m = FINAL.fullmatch(lines[-1]) if lines else None
        if m is None:
            scores.append(0.0)
        else:
            scores.append(1.0 if m.group(1).lower() == gold else -1.0)
    return scores
