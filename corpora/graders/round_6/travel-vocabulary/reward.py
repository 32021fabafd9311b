import re
import unicodedata

ANSWER = re.compile(r"<answer>(.*?)</answer>", re.S | re.I)


def _text(completion):
    if isinstance(completion, str):
        return completion
    return (completion[-1].get("content") or "") if completion else ""


def _plain(word):
    word = unicodedata.normalize("NFKD", word).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[^a-z]+", " ", word.lower()).strip()


def word_reward(prompts, completions, target, **kwargs):
    """1.0 when the word between the last answer tags is the target word."""
    rewards = []
    for completion, word in zip(completions, target):
        found = ANSWER.findall(_text(completion))
        good = bool(found) and _plain(found[-1]) == _plain(word)
        rewards.append(1.0 if good else 0.0)
    return rewards
