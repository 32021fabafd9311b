def _choice(text):
    if "Answer:" not in text:
        return ""
    tail = text.rsplit("Answer:", 1)[1].strip().lstrip("(*[ ")
    return tail[:1].upper()


def reward(prompts, completions, label, **kwargs):
    return [1.0 if _choice(c[-1]["content"]) == gold else 0.0 for c, gold in zip(completions, label)]
