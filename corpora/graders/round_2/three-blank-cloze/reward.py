import re


def _split(s):
    return [re.sub(r"\s+", " ", p).strip(" .*_\"'").lower() for p in s.split(";") if p.strip()]


def reward_func(queries, prompts, labels, **kwargs):
    rewards = []
    for q, p, label in zip(queries, prompts, labels):
        reply = q[len(p):]
        lines = re.findall(r"(?im)^\W*blanks\W*?:(.*)$", reply)
        if len(lines) != 1:
            rewards.append(0.0)
            continue
        got, want = _split(lines[0]), _split(label)
        if not got:
            rewards.append(0.0)
            continue
        rewards.append(1.0 if all(g == w for g, w in zip(got, want)) else 0.0)
    return rewards
