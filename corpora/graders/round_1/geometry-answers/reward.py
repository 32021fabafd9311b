import re


def _norm(text):
    return re.sub(r"[\s,$]", "", text).rstrip(".").replace("\u2212", "-")


def _candidates(reply):
    found = re.findall(r"<answer>(.*?)</answer>", reply, re.S)
    found += re.findall(r"\\boxed\{([^{}]*)\}", reply)
    return [_norm(x) for x in found]


def reward_func(queries, prompts, labels, **kwargs):
    rewards = []
    for query, prompt, label in zip(queries, prompts, labels):
        reply = query[len(prompt):] if query.startswith(prompt) else query
        rewards.append(1.0 if _norm(label) in _candidates(reply) else 0.0)
    return rewards
