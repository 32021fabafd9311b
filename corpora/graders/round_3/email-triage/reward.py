import re

_LABEL = re.compile(r"Label:\s*(urgent|normal|spam)\b", re.IGNORECASE)


def reward_func(queries, prompts, labels, **kwargs):
    """queries hold prompt + response; the last label in the text is the model's."""
    rewards = []
    for query, label in zip(queries, labels):
        found = _LABEL.findall(query)
        rewards.append(1.0 if found and found[-1].lower() == label else 0.0)
    return rewards
