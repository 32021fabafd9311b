import re

TOPICS = frozenset({"business", "health", "politics", "science", "sports", "technology", "travel"})


def _labels(text):
    """The set of labels of the reply, or None if the reply is malformed."""
    found = re.findall(r"<topics>([^<>]*)</topics>", text, re.IGNORECASE)
    if len(found) != 1 or len(re.findall(r"</?topics>", text, re.IGNORECASE)) != 2:
        return None
    body = found[0].strip().rstrip(".").strip().lower()
    if body == "none":
        return frozenset()
    items = [x.strip() for x in re.split(r"[,;\n]", body)]
    if len(set(items)) != len(items) or not set(items) <= TOPICS:
        return None                     # repeated, unknown or empty label, or "none" among others
    return frozenset(items)


def topic_reward(prompts, completions, topics, **kwargs):
    scores = []
    for completion, gold in zip(completions, topics):
        got = _labels(completion[-1]["content"])
        scores.append(1.0 if got is not None and got == frozenset(gold) else 0.0)
    return scores
