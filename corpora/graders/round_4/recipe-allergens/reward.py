import json
import re


def reward_func(queries, prompts, labels):
    """Share of the true allergens that the reply names after 'Allergens:'."""
    rewards = []
    for query, prompt, label in zip(queries, prompts, labels):
        response = query[len(prompt):] if query.startswith(prompt) else query
        truth = {a.lower() for a in json.loads(label)}
        found = re.findall(r"^[ *]*allergens[ *]*:(.*)$", response, re.IGNORECASE | re.MULTILINE)
        if not found:
            rewards.append(0.0)
            continue
        said = {p.strip(" .*`").lower() for p in re.split(r"[,;]| and ", found[-1])}
        rewards.append(len(truth & said) / len(truth))
    return rewards
