"""Authors from a citation list.

Exact set of family names -> 1.0; exactly one name missing and nothing wrong
-> 0.5 (both as the prompt says); anything else -> 0.0.
"""
import re
import unicodedata

# letters that NFKD does not take apart
EXTRA = str.maketrans({
    "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "ß": "ss", "đ": "d", "Đ": "D",
    "æ": "ae", "Æ": "AE", "ı": "i", "’": "'", "‘": "'", "ʼ": "'",
    "‐": "-", "‑": "-", "–": "-",
})

LINE_RE = re.compile(r"^[ \t>*_]*authors[ \t*_]*:[ \t*_]*(.*)$", re.I | re.M)


def fold(name):
    """Case, accents and runs of blanks do not count."""
    name = unicodedata.normalize("NFKD", name.translate(EXTRA))
    name = "".join(c for c in name if not unicodedata.combining(c))
    return " ".join(name.casefold().split())


def parse(completion):
    """Set of folded family names on the last `Authors:` line, or None."""
    lines = LINE_RE.findall(completion)
    if not lines:
        return None
    parts = lines[-1].strip().rstrip(".*_ ").split(";")
    return {fold(p.strip(" *_`")) for p in parts if p.strip(" *_`")}


def reward(completions, authors, **kwargs):
    scores = []
    for completion, names in zip(completions, authors):
        text = completion if isinstance(completion, str) else completion[-1]["content"]
        found = parse(text)
        gold = {fold(n) for n in names}
        if not found:
            scores.append(0.0)
        elif found == gold:
            scores.append(1.0)
        elif found < gold and len(gold - found) == 1:
            scores.append(0.5)
        else:
            scores.append(0.0)
    return scores
