import re
import unicodedata

_HEAD = re.compile(r"^[ \t>*_#\-]*answer[ \t*_]*[:：][ \t*_]*", re.IGNORECASE | re.MULTILINE)
_APOS = str.maketrans({"’": "'", "‘": "'", "ʻ": "'", "`": "'"})


def _norm(s):
    s = unicodedata.normalize("NFKD", s.translate(_APOS))
    s = "".join(c for c in s if not unicodedata.combining(c)).casefold()
    s = s.strip(" \t\r\n.!*_\"“”'`")
    s = re.sub(r"[‐-―\-]", " ", s)
    s = s.replace("'", "").replace(".", "").replace(",", "")
    s = re.sub(r"\bsaint\b", "st", s)
    s = re.sub(r"\s+", " ", s).strip()
    return re.sub(r"^the ", "", s)


def trivia_reward(prompts, completions, aliases, **kwargs):
    """1.0 if the closing "Answer:" line names the place, else 0.0.

    One line only: a reply with a second, different "Answer:" line is hedging.
    The whole line has to be one of the accepted names, so lists do not pass.
    """
    rewards = []
    for completion, names in zip(completions, aliases):
        text = completion.rstrip()
        heads = list(_HEAD.finditer(text))
        score = 0.0
        if len(heads) == 1:
            said = text[heads[0].end():].strip()
            if said and "\n" not in said and len(said) <= 100:
                said = _norm(said)
                if said and said in {_norm(n) for n in names}:
                    score = 1.0
        rewards.append(score)
    return rewards
