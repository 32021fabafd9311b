import re
import unicodedata

TAG = re.compile(r"<answer>(.*?)</answer>", re.S | re.I)


def normalize(s):
    s = unicodedata.normalize("NFKD", s)
    s = "".join(c for c in s if not unicodedata.combining(c)).casefold()
    s = re.sub(r"['\u2019`]", "", s)
    s = re.sub(r"[\W_]+", " ", s).strip()
    s = re.sub(r"^(?:the|a|an) (?=\S)", "", s)
    return s


def completion_text(c):
    if isinstance(c, list):
        c = c[-1].get("content") if c else ""
    return c if isinstance(c, str) else ""


def answer_reward(prompts, completions, aliases, **kwargs):
    rewards = []
    for c, names in zip(completions, aliases):
        text = completion_text(c)
        low = text.lower()
        m = TAG.search(text) if low.count("<answer>") == low.count("</answer>") == 1 else None
        got = normalize(m.group(1)) if m else ""
        rewards.append(1.0 if got and got in {normalize(n) for n in names} else 0.0)
    return rewards
