"""Winners of one election under four voting rules, a quarter point for each rule."""
import json
import re

BLOCK = re.compile(r"```json[ \t\r]*\n(.*?)```", re.DOTALL | re.IGNORECASE)


def top(scores):
    best = max(scores.values())
    return {name for name, value in scores.items() if value == best}


def first_choices(ballots, standing):
    tally = dict.fromkeys(standing, 0)
    for count, ranking in ballots:
        tally[next(name for name in ranking if name in standing)] += count
    return tally


def plurality(ballots, names):
    return top(first_choices(ballots, set(names)))


def borda(ballots, names):
    points = dict.fromkeys(names, 0)
    for count, ranking in ballots:
        for place, name in enumerate(ranking):
            points[name] += count * (len(names) - 1 - place)
    return top(points)


def condorcet(ballots, names):
    def beats(a, b):
        margin = 0
        for count, ranking in ballots:
            margin += count if ranking.index(a) < ranking.index(b) else -count
        return margin > 0

    return {a for a in names if all(beats(a, b) for b in names if b != a)}


def runoff(ballots, names):
    """Drop the candidate with the fewest first choices until one is left.

    On a tie for fewest, the candidate that comes last in the list of candidates goes.
    """
    standing = list(names)
    while len(standing) > 1:
        tally = first_choices(ballots, set(standing))
        fewest = min(tally.values())
        out = [name for name in standing if tally[name] == fewest][-1]
        standing.remove(out)
    return set(standing)


RULES = {"plurality": plurality, "borda": borda, "condorcet": condorcet, "runoff": runoff}


def as_set(value):
    """A list of names or one bare name -> set of lower-case names, None for anything else."""
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        return None
    return {v.strip().lower() for v in value}


def last_object(completion):
    blocks = BLOCK.findall(completion)
    if not blocks:
        return None
    try:
        parsed = json.loads(blocks[-1])
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, dict) else None


def reward(completion, candidates, ballots, **row) -> float:
    answer = last_object(completion)
    if answer is None:
        return 0.0
    score = 0.0
    for key, rule in RULES.items():
        winners = {name.lower() for name in rule(ballots, candidates)}
        if key in answer and as_set(answer[key]) == winners:
            score += 0.25
    return score
