import re

_HEAD = re.compile(r"notes[ \t*_]*:", re.IGNORECASE)
_LINE = re.compile(r"[ \t*_]*notes[ \t*_]*:[ \t*_]*(.*)", re.IGNORECASE)


def _notes(s):
    s = s.strip(" .*_").replace("\u266f", "#").replace("\u266d", "b")
    parts = re.split(r"[ \t]*[,\-\u2013][ \t]*|[ \t]+", s)
    if not all(re.fullmatch(r"[A-G](?:#|b)?", p) for p in parts):
        return None
    return parts


def reward_func(queries, prompts, labels, **kwargs):
    """Order and spelling count. The prompt's examples are cut off before the search."""
    rewards = []
    for query, prompt, label in zip(queries, prompts, labels):
        reply = query[len(prompt):] if query.startswith(prompt) else ""
        lines = reply.strip().split("\n")
        m = _LINE.fullmatch(lines[-1].strip())
        ok = m is not None and len(_HEAD.findall(reply)) == 1 and _notes(m.group(1)) == label.split()
        rewards.append(1.0 if ok else 0.0)
    return rewards
