import json
import re
import unicodedata

_LINE = re.compile(r"^[ \t*_>]*title[ \t*_]*:(.*)$", re.IGNORECASE | re.MULTILINE)


def fold(s):
    s = unicodedata.normalize("NFKD", s)
    s = "".join(c for c in s if not unicodedata.combining(c)).casefold()
    s = s.replace("&", " and ").replace("'", "").replace("’", "")
    s = re.sub(r"[^\w]+|_+", " ", s).strip()          # punctuation separates words, it never joins them
    return re.sub(r"^(?:the|a|an) ", "", s)


def reward_func(queries, prompts, labels, **kwargs):
    """labels: JSON list of the accepted forms of one title."""
    scores = []
    for query, prompt, label in zip(queries, prompts, labels):
        lines = _LINE.findall(query[len(prompt):])
        said = fold(lines[0]) if len(lines) == 1 and len(lines[0]) <= 200 else ""
        scores.append(1.0 if said and said in {fold(t) for t in json.loads(label)} else 0.0)
    return scores
