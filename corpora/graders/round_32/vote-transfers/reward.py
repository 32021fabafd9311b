"""Reward for counting instant-runoff elections by hand."""
import re
from functools import lru_cache

LABELS = ("eliminated", "winner", "votes")
WEIGHTS = {"eliminated": 0.4, "winner": 0.4, "votes": 0.2}


@lru_cache(maxsize=None)
def count(ballots, names):
    """(order of elimination, winner, winner's votes in the deciding round)."""
    papers = []
    for line in ballots:
        size, ranking = line.split(":")
        papers.append((int(size), [n.strip() for n in ranking.split(">")]))
    standing = list(names)
    first = {n: sum(k for k, r in papers if r[0] == n) for n in names}
    out = []
    while True:
        tally = dict.fromkeys(standing, 0)
        for k, ranking in papers:
            choice = next((n for n in ranking if n in tally), None)
            if choice is not None:
                tally[choice] += k
        live = sum(tally.values())
        leader = max(standing, key=tally.get)
        if 2 * tally[leader] > live or len(standing) == 1:
            return tuple(out), leader, tally[leader]
        low = min(tally.values())
        tied = [n for n in standing if tally[n] == low]
        fewest = min(first[n] for n in tied)
        loser = max(n for n in tied if first[n] == fewest)
        standing.remove(loser)
        out.append(loser)


def fields(completion):
    """Last line of each label, lower-cased, without bold marks."""
    got = {}
    for line in completion.splitlines():
        line = line.replace("*", "").strip()
        label, colon, rest = line.partition(":")
        if colon and label.strip().lower() in LABELS:
            got[label.strip().lower()] = rest.strip().lower()
    return got


def same_order(text, expected):
    if not expected:
        return text == "none"
    return [p.strip() for p in text.split(",")] == [n.lower() for n in expected]


def reward(completion, candidates, ballots, **row) -> float:
    out, winner, votes = count(tuple(ballots), tuple(candidates))
    got = fields(completion)
    right = {
        "eliminated": same_order(got.get("eliminated", ""), out),
        "winner": got.get("winner", "") == winner.lower(),
        "votes": bool(re.fullmatch(r"[0-9]{1,6}", got.get("votes", "")))
        and int(got["votes"]) == votes,
    }
    return round(sum(WEIGHTS[k] for k in LABELS if right[k]), 2)
