import re


def _amount(reply):
    lines = re.findall(r"^[*\s]*Total:[*\s]*(.+?)[*\s]*$", reply, re.MULTILINE | re.IGNORECASE)
    if not lines:
        return None
    text = lines[-1].lstrip("$").strip()
    try:
        return float(text)
    except ValueError:
        return None


def reward_func(queries, prompts, labels, **kwargs):
    rewards = []
    for query, prompt, label in zip(queries, prompts, labels):
        amount = _amount(query[len(prompt):])
        if amount is None or abs(amount - float(label)) > 0.005:
            rewards.append(0.0)
        else:
            rewards.append(1.0)
    return rewards
