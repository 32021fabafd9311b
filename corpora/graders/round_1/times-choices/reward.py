import re


def reward(prompts, completions, answer, **kwargs):
    scores = []
    for messages, gold in zip(completions, answer):
        tail = messages[-1]["content"].rsplit("Answer:", 1)[-1]
        letters = re.findall(r"\b[A-D]\b", tail)
        scores.append(1.0 if gold in letters else 0.0)
    return scores
