import re


def reward_func(queries, prompts, labels, **kwargs):
    rewards = []
    for query, prompt, label in zip(queries, prompts, labels):
        reply = query[len(prompt):] if query.startswith(prompt) else query
        m = re.fullmatch(r"Answer:\s*(-?[0-9]{1,15})\.?", reply.strip().split("\n")[-1].strip())
        rewards.append(1.0 if m and int(m.group(1)) == int(label) else 0.0)
    return rewards
