def _clean(text):
    return " ".join(text.lower().split())


def reward(prompts, completions, answer, aliases, **kwargs):
    rewards = []
    for completion, gold, extra in zip(completions, answer, aliases):
        text = _clean(completion)
        names = [_clean(n) for n in [gold] + extra]
        rewards.append(1.0 if any(n in text for n in names) else 0.0)
    return rewards
