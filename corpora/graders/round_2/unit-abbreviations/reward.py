import re
import unicodedata

PATTERN = re.compile(r"^\W*symbol\W*?:(.*)$", re.IGNORECASE | re.MULTILINE)


def clean(s):
    s = unicodedata.normalize("NFKC", s)          # ohm sign -> omega, micro sign -> mu
    return s.strip().strip("*`_.\"' ").casefold()


def reward_func(queries, prompts, labels, **kwargs):
    out = []
    for query, prompt, label in zip(queries, prompts, labels):
        reply = query[len(prompt):] if query.startswith(prompt) else query
        hits = PATTERN.findall(reply)
        out.append(1.0 if len(hits) == 1 and clean(hits[0]) == clean(label) else 0.0)
    return out
