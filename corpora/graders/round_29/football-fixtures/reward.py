"""Checks a single round-robin fixture list against its structural rules and the league's requests."""
import re
from itertools import combinations

BLOCK = re.compile(r"<fixtures>(.*?)</fixtures>", re.S | re.I)
ROUND = re.compile(r"^\s*round\s+(\d+)\s*:\s*(.+?)\s*$", re.I)
VERSUS = re.compile(r"\s+(?:vs\.|vs|v)\s+", re.I)


def squash(name):
    return " ".join(name.split()).casefold()


def parse(completion, teams):
    """Return {round: [(home, away), ...]} with canonical names, or None when the block is malformed."""
    blocks = BLOCK.findall(completion)
    if not blocks:
        return None
    canon = {squash(t): t for t in teams}
    rounds = {}
    for line in blocks[-1].splitlines():
        if not line.strip():
            continue
        m = ROUND.match(line)
        if not m:
            return None
        number = int(m.group(1))
        if number in rounds:
            return None
        games = []
        for chunk in m.group(2).rstrip(";").split(";"):
            sides = VERSUS.split(chunk.strip())
            if len(sides) != 2:
                return None
            home, away = (canon.get(squash(s)) for s in sides)
            if home is None or away is None or home == away:
                return None
            games.append((home, away))
        rounds[number] = games
    return rounds


def is_round_robin(rounds, teams):
    n = len(teams)
    expected_rounds = n - 1 if n % 2 == 0 else n
    if sorted(rounds) != list(range(1, expected_rounds + 1)):
        return False
    met = []
    for games in rounds.values():
        busy = [t for game in games for t in game]
        if len(games) != n // 2 or len(busy) != len(set(busy)):
            return False
        met.extend(frozenset(g) for g in games)
    pairs = {frozenset(p) for p in combinations(teams, 2)}
    return len(met) == len(pairs) and set(met) == pairs


def long_streak(rounds, team):
    """True when the team plays three matches running at the same kind of venue (a rest week is skipped)."""
    venues = ""
    for r in sorted(rounds):
        for home, away in rounds[r]:
            if team == home:
                venues += "H"
            elif team == away:
                venues += "A"
    return "HHH" in venues or "AAA" in venues


def requests_met(rounds, teams, booked, closed):
    for b in booked:
        if (b["home"], b["away"]) not in rounds[b["round"]]:
            return False
    for team, weeks in closed.items():
        for w in weeks:
            if any(home == team for home, _ in rounds[w]):
                return False
    return not any(long_streak(rounds, t) for t in teams)


def reward(completion, teams, booked, closed, **row):
    rounds = parse(completion, teams)
    if rounds is None or not is_round_robin(rounds, teams):
        return 0.0
    return 1.0 if requests_met(rounds, teams, booked, closed) else 0.4
