import re


def number_reward(prompts, completions, answer, **kwargs):
    """The reply has to be one integer (a full stop or stars around it are fine)."""
    rewards = []
    for completion, want in zip(completions, answer):
        m = re.fullmatch(r"[\s*]*(-?[0-9]{1,12})[\s.*]*", completion)
        rewards.append(1.0 if m and int(m.group(1)) == int(want) else 0.0)
    return rewards
