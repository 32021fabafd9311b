import re
import unicodedata


def _emoji(s):
    return [ch for ch in s if unicodedata.category(ch) == "So"]


def emoji_reward(prompts, completions, emojis, **kwargs):
    """1.0 when the reply lists the emoji of the message. Order is free."""
    scores = []
    for text, gold in zip(completions, emojis):
        body = re.findall(r"\[(.*?)\]", text, re.S)
        if len(body) != 1 or not re.fullmatch(r"[^\w]*", body[0]):
            scores.append(0.0)
            continue
        scores.append(1.0 if set(_emoji(body[0])) == set(gold) else 0.0)
    return scores
