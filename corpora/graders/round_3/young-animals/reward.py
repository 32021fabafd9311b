import string


def _norm(text):
    text = text.strip().split("\n", 1)[0]
    words = text.lower().strip(string.punctuation + " ").split()
    if words and words[0] in ("a", "an", "the"):
        words = words[1:]
    return " ".join(words)


def exact_match_reward(prompts, completions, **kwargs):
    # GRPO: the completions of one call are samples for one prompt
    target = _norm(kwargs["answer"][0])
    return [1.0 if _norm(c) == target else 0.0 for c in completions]
