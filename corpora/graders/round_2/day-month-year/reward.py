import re

_TAG = re.compile(r"<date>(.*?)</date>", re.DOTALL | re.IGNORECASE)


def _key(s):
    """Separator-independent form: 4/3/2019, 4.3.2019 and 4-3-2019 compare equal."""
    return re.sub(r"\D", "", s)


def date_reward(prompts, completions, target, **kwargs):
    rewards = []
    for completion, t in zip(completions, target):
        found = _TAG.findall(completion)
        if len(found) != 1 or len(found[0]) > 20:
            rewards.append(0.0)
            continue
        rewards.append(1.0 if _key(found[0]) == _key(t) else 0.0)
    return rewards
