import re
import unicodedata


def normalize(text):
    """lower case, no accents, no punctuation, single spaces"""
    text = unicodedata.normalize("NFKD", text.lower())
    text = text.encode("ascii", "ignore").decode("ascii")
    text = re.sub(r"[^a-z0-9 ]+", " ", text)
    return " ".join(text.split())


def content(completion):
    if isinstance(completion, list):
        return completion[-1]["content"] or ""
    return completion or ""


def translation_reward(prompts, completions, references, **kwargs):
    scores = []
    for completion, refs in zip(completions, references):
        hyp = normalize(content(completion))
        scores.append(1.0 if any(hyp == normalize(r) for r in refs) else 0.0)
    return scores
