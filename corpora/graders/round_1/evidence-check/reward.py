import re


def _verdict(reply):
    lines = [ln for ln in reply.strip().lower().split("\n") if ln.strip()]
    if not lines:
        return None
    found = re.findall(r"\b(supported|refuted)\b", lines[-1])
    if len(set(found)) != 1:
        return None
    return found[0]


def reward_func(queries, prompts, labels, **kwargs):
    rewards = []
    for query, prompt, label in zip(queries, prompts, labels):
        reply = query[len(prompt):] if query.startswith(prompt) else query
        rewards.append(1.0 if _verdict(reply) == label else 0.0)
    return rewards
