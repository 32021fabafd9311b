import re

FINAL = re.compile(r"Answer: ([A-E])")


def reward_func(queries, prompts, labels, **kwargs):
    rewards = []
    for query, prompt, label in zip(queries, prompts, labels):
        response = query[len(prompt):] if query.startswith(prompt) else query
        lines = [ln.rstrip() for ln in response.split("\n") if ln.strip()]
        m = FINAL.fullmatch(lines[-1]) if lines else None
        rewards.append(1.0 if m and m.group(1) == label else 0.0)
    return rewards
