import re


def translation_reward(prompts, completions, keywords, **kwargs):
    """Share of the content words of the reference translation that the output contains."""
    scores = []
    for completion, words in zip(completions, keywords):
        text = completion.lower()
        hits = sum(1 for w in words if re.search(r"\b" + re.escape(w) + r"\b", text))
        scores.append(hits / len(words))
    return scores
