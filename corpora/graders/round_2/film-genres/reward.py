import re

GENRES = {"action", "animation", "comedy", "crime", "drama", "fantasy", "horror", "musical", "romance", "sci-fi", "thriller", "war", "western"}


def _parse(text):
    m = re.findall(r"<genres>(.*?)</genres>", text, re.S | re.I)
    if len(m) != 1:
        return None
    tags = [t.strip().lower() for t in m[0].split(",") if t.strip()]
    if any(t not in GENRES for t in tags):
        return None
    return set(tags)


def genre_reward(completions, genres, prompts=None, **kwargs):
    """Partial credit: the share of the film's genres that were found."""
    out = []
    for c, gold in zip(completions, genres):
        got = _parse(c[0]["content"])
        if not got:
            out.append(0.0)
            continue
        gold = set(gold)
        out.append(len(got & gold) / len(gold))
    return out
