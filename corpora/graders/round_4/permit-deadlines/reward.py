import re


def deadline_reward(prompts, completions, expires, **kwargs):
    """1.0 if the last date in the reply is the right one."""
    scores = []
    for completion, want in zip(completions, expires):
        dates = re.findall(r"\b\d{4}-\d{2}-\d{2}\b", completion)
        scores.append(1.0 if dates and dates[-1] == want else 0.0)
    return scores
