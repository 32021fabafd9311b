import re

NUMBER = re.compile(r"^\W*answer\W*?:\s*([-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)\s*(?:km)?\W*$", re.IGNORECASE | re.MULTILINE)
REL_TOL = 0.03


def _close(a, b):
    # symmetric relative tolerance
    return abs(a - b) <= REL_TOL * max(abs(a), abs(b))


def distance_reward(prompts, completions, km, **kwargs):
    rewards = []
    for completion, gold in zip(completions, km):
        text = completion[-1]["content"]
        found = NUMBER.findall(text)
        if len(found) != 1:
            rewards.append(0.0)
            continue
        rewards.append(1.0 if _close(float(found[0]), float(gold)) else 0.0)
    return rewards
