import re


def reward(prompts, completions, answer, unit, **kwargs):
    scores = []
    for text, gold, _ in zip(completions, answer, unit):
        m = re.findall(r"\\boxed\{\s*(-?[0-9]+(?:\.[0-9]+)?)[^{}]*\}", text)
        scores.append(1.0 if m and abs(float(m[-1]) - gold) < 1e-6 else 0.0)
    return scores
