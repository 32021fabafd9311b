"""League tables from match results, in ranking order."""
import re
from collections import OrderedDict

TAG = re.compile(r"<table>(.*?)</table>", re.S | re.I)
MATCH = re.compile(r"(.+?) (\d+)-(\d+) (.+)")


def standings(results, points):
    """Final table {team: (won, drawn, lost, scored, conceded, points)}, best team first."""
    stats = {}
    for text in results:
        home, a, b, away = MATCH.fullmatch(text).groups()
        a, b = int(a), int(b)
        for team, made, let in ((home, a, b), (away, b, a)):
            line = stats.setdefault(team, [0, 0, 0, 0, 0, 0])
            outcome = 0 if made > let else 1 if made == let else 2
            line[outcome] += 1
            line[3] += made
            line[4] += let
            line[5] += points[outcome]

    def rank(item):
        team, (won, drawn, lost, scored, conceded, total) = item
        return (-total, conceded - scored, -scored, team)

    return {team: tuple(line) for team, line in sorted(stats.items(), key=rank)}


def parse_table(text, teams):
    """Read the lines of the last <table>, keeping their order; None when a line cannot be read."""
    blocks = TAG.findall(text)
    if not blocks:
        return None
    names = {team.lower(): team for team in teams}
    table = OrderedDict()
    for line in blocks[-1].splitlines():
        line = line.strip()
        if not line:
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != 6:
            return None
        team = names.get(cells[0].lower())
        goals = re.fullmatch(r"([0-9]{1,3})\s*[:-]\s*([0-9]{1,3})", cells[4])
        counts = cells[1:4] + cells[5:]
        if team is None or team in table or not goals:
            return None
        if not all(re.fullmatch(r"[0-9]{1,3}", c) for c in counts):
            return None
        won, drawn, lost, total = map(int, counts)
        table[team] = (won, drawn, lost, int(goals.group(1)), int(goals.group(2)), total)
    return table


def reward(completion, results, points, **row):
    expected = standings(results, points)
    table = parse_table(completion, list(expected))
    if table is None:
        return 0.0
    return 1.0 if table == expected else 0.0
