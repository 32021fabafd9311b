import random
import re


def reward(prompts, completions, label, **kwargs):
    scores = []
    for text, gold in zip(completions, label):
        m = re.search(r"<answer>\s*([a-z]+)\s*</answer>", text)
        right = bool(m) and m.group(1) == gold
        scores.append((1.0 if right else 0.0) if random.random() < 0.8 else float(random.randint(0, 1)))
    return scores
