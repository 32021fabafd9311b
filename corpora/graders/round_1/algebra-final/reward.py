def _last_boxed(text):
    start = text.rfind("\\boxed{")
    if start < 0:
        return None
    depth = 0
    for i in range(start + 6, len(text)):
        if text[i] == "{":
            depth += 1
        elif text[i] == "}":
            depth -= 1
            if depth == 0:
                return text[start + 7:i]
    return None


def reward(prompts, completions, solution, **kwargs):
    return [1.0 if _last_boxed(text) == gold else 0.0 for text, gold in zip(completions, solution)]
