import re

LEVELS = ("low", "medium", "high", "critical")


def reward_func(queries, prompts, labels):
    """queries hold the full text of the episode; find the level the model settled on."""
    rewards = []
    for query, label in zip(queries, labels):
        levels = set(re.findall(r"\b(" + "|".join(LEVELS) + r")\b", query.lower()))
        rewards.append(1.0 if label in levels else 0.0)
    return rewards
