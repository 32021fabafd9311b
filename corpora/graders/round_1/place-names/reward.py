import re
import unicodedata

TAG = re.compile(r"<answer>(.*?)</answer>", re.S)


def _norm(text):
    text = unicodedata.normalize("NFKD", text)
    text = "".join(ch for ch in text if not unicodedata.combining(ch))
    text = text.casefold().replace("\u2019", "'").replace(".", "").replace(",", "")
    text = re.sub(r"[\s\-]+", " ", text).strip()
    return text[4:] if text.startswith("the ") else text


def reward(prompts, completions, aliases, **kwargs):
    out = []
    for completion, names in zip(completions, aliases):
        text = completion[-1]["content"]
        slots = TAG.findall(text)
        if len(slots) != 1 or text.count("<answer>") != 1:
            out.append(0.0)
            continue
        guess = _norm(slots[0])
        out.append(1.0 if guess and guess in {_norm(n) for n in names} else 0.0)
    return out
