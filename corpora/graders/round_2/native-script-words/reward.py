import re
import unicodedata

# stress/tonos accents, Arabic harakat and tatweel, Hebrew points: optional in writing
_OPTIONAL = re.compile("[\u0301\u0640\u064b-\u0652\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u200b-\u200f\u2060\ufeff]")


def _norm(s):
    s = unicodedata.normalize("NFD", s)
    s = _OPTIONAL.sub("", s)
    s = unicodedata.normalize("NFKC", s).casefold()
    s = re.sub(r"\s+", " ", s)
    return s.strip(" .。!*_\"'“”«»「」『』`")


def translation_reward(prompts, completions, accepted, **kwargs):
    rewards = []
    for completion, words in zip(completions, accepted):
        spans = re.findall(r"<t>([^<>]*)</t>", completion[-1]["content"], re.IGNORECASE)
        said = _norm(spans[0]) if len(spans) == 1 else ""
        rewards.append(1.0 if said and any(said == _norm(w) for w in words) else 0.0)
    return rewards
