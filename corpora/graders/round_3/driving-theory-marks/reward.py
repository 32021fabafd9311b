import re

_LETTER = re.compile(r"[\s*_\"'(\[]*([a-dA-D])[\s*_\"')\].]*")
_SKIP = re.compile(r"[\s*_\"'(\[]*skip[\s*_\"')\].]*", re.IGNORECASE)


def reward_func(queries, prompts, labels, **kwargs):
    """Marks as the prompt states: right 1, skip 0, all else -0.5."""
    marks = []
    for query, prompt, label in zip(queries, prompts, labels):
        reply = query[len(prompt):] if query.startswith(prompt) else query
        m = _LETTER.fullmatch(reply)
        if m and m.group(1).lower() == label:
            marks.append(1.0)
        elif _SKIP.fullmatch(reply):
            marks.append(0.0)
        else:
            marks.append(-0.5)
    return marks
