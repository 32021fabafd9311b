"""Rebuild a league table from results and compare it with the one in the reply."""
import re
from itertools import groupby

COLUMNS = ("P", "W", "D", "L", "GF", "GA", "GD", "Pts")


def tally(results, teams):
    """Per-team figures; matches without a score are left out."""
    table = {t: dict.fromkeys(COLUMNS, 0) for t in teams}
    for home, away, hg, ag in results:
        if hg is None or ag is None or home not in table or away not in table:
            continue
        for team, scored, conceded in ((home, hg, ag), (away, ag, hg)):
            line = table[team]
            line["P"] += 1
            line["GF"] += scored
            line["GA"] += conceded
            line["GD"] += scored - conceded
            outcome = "W" if scored > conceded else "D" if scored == conceded else "L"
            line[outcome] += 1
            line["Pts"] += {"W": 3, "D": 1, "L": 0}[outcome]
    return table


def standings(results, teams, deductions):
    """Teams from first to last, and their figures."""
    table = tally(results, teams)
    for team, points in deductions.items():
        table[team]["Pts"] -= points

    def overall(team):
        line = table[team]
        return (-line["Pts"], -line["GD"], -line["GF"])

    order = []
    for _, level in groupby(sorted(teams, key=overall), key=overall):
        level = list(level)
        mini = tally(results, level)
        order += sorted(level, key=lambda t: (-mini[t]["Pts"], t.lower()))
    return order, table


def fold(name):
    return " ".join(name.lower().split())


def read_table(completion):
    """List of (team, [8 integers or None]) from the last <table> pair; None if malformed."""
    blocks = re.findall(r"<table>(.*?)</table>", completion, re.S)
    if not blocks:
        return None
    rows = []
    for line in blocks[-1].replace("*", "").splitlines():
        line = line.strip()
        if not line:
            continue
        cells = line.strip("|").split("|") if "|" in line else line.split(",")
        cells = [c.strip() for c in cells]
        if fold(cells[0]) == "team" or all(re.fullmatch(r":?-+:?", c) for c in cells):
            continue
        if len(cells) != 1 + len(COLUMNS):
            return None
        numbers = [c.replace("\u2212", "-") for c in cells[1:]]
        if not all(re.fullmatch(r"[-+]?[0-9]+", n) for n in numbers):
            return None
        rows.append((fold(cells[0]), [int(n) for n in numbers]))
    return rows


def reward(completion, teams, results, deductions, **row):
    rows = read_table(completion)
    if not rows:
        return 0.0
    order, table = standings(results, teams, deductions)
    if [name for name, _ in rows] != [fold(t) for t in order]:
        return 0.0
    right = all(
        numbers == [table[team][c] for c in COLUMNS]
        for team, (_, numbers) in zip(order, rows)
    )
    return 1.0 if right else 0.4
