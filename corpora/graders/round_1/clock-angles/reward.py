import re

BOX = re.compile(r"\\boxed\{\s*([0-9]+(?:\.[0-9]+)?)(?:\^\\circ|°)?\s*\}")


def _extract(text):
    found = BOX.findall(text)
    return float(found[-1]) if found else None


def reward(prompts, completions, answer, **kwargs):
    values = [v for v in (_extract(c) for c in completions) if v is not None]
    scores = [1.0 if abs(v - float(a)) < 1e-6 else 0.0 for v, a in zip(values, answer)]
    scores += [0.0] * (len(completions) - len(scores))
    return scores
