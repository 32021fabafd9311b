import re

_TAG = re.compile(r"<answer>([^<>]*)</answer>", re.IGNORECASE)


def _squash(s):
    return re.sub(r"\s+", " ", s).strip().strip("*`\"'.").strip().casefold()


def quiz_reward(prompts, completions, key, options, **kwargs):
    """+1 right, 0 for "pass", -1 for everything else (as the prompt says)."""
    rewards = []
    for text, letter, opts in zip(completions, key, options):
        tags = _TAG.findall(text)
        if len(tags) != 1 or len(re.findall(r"</?answer>", text, re.IGNORECASE)) != 2:
            rewards.append(-1.0)
            continue
        said = tags[0].strip().strip("*`").strip()
        if _squash(said) == "pass":
            rewards.append(0.0)
            continue
        # "B", "(B)", "B.", or the letter followed by that option's own text
        m = re.fullmatch(r"\(?([A-Za-z])\)?[.:)]?(?:\s+(?:[-–:]\s*)?(.+))?", said, re.DOTALL)
        pick = m.group(1).upper() if m else None
        if pick not in opts or (m.group(2) is not None and _squash(m.group(2)) != _squash(opts[pick])):
            rewards.append(-1.0)
            continue
        rewards.append(1.0 if pick == letter else -1.0)
    return rewards
