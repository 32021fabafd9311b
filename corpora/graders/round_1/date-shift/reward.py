import re

ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def reward_func(queries, prompts, labels, **kwargs):
    rewards = []
    for query, prompt, label in zip(queries, prompts, labels):
        reply = query[len(prompt):] if query.startswith(prompt) else query
        last = reply.strip().split("\n")[-1].strip()
        rewards.append(1.0 if ISO.fullmatch(last) and last == label else 0.0)
    return rewards
