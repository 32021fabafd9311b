"""Few-shot science questions, remote reward function."""
import re

ANSWER = re.compile(r"the answer is \(([A-D])\)", re.IGNORECASE)


def reward_func(queries, prompts, labels, **kwargs):
    rewards = []
    for query, label in zip(queries, labels):
        # the last statement is the model's own, the earlier ones belong to the worked example
        stated = ANSWER.findall(query)
        pred = stated[-1].upper() if stated else None
        rewards.append(1.0 if pred == label else 0.0)
    return rewards
