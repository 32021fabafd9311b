"""Ranking of nations in a medals table, with shared ranks and partial credit."""
import re

HEAD = re.compile(r"#{0,6}\s*ranking:", re.IGNORECASE)
ENTRY = re.compile(r"(?:[-*\u2022]\s*)?(\d{1,3})\s*[.)]\s*(\S.*)")


def sort_key(entry, rule):
    _, gold, silver, bronze = entry
    if rule == "gold":
        return (gold, silver, bronze)
    if rule == "total":
        return (gold + silver + bronze,)
    if rule == "points":
        return (3 * gold + 2 * silver + bronze,)
    raise ValueError(f"unknown rule {rule!r}")


def true_ranks(table, rule):
    """Competition ranks: one more than the number of nations that are strictly better."""
    keys = {entry[0].casefold(): sort_key(entry, rule) for entry in table}
    return {name: 1 + sum(other > key for other in keys.values()) for name, key in keys.items()}


def section(completion):
    """Non-blank lines after the last heading, or None without a heading."""
    lines = [ln.strip() for ln in completion.replace("**", "").splitlines()]
    starts = [i for i, ln in enumerate(lines) if HEAD.fullmatch(ln)]
    if not starts:
        return None
    return [ln for ln in lines[starts[-1] + 1:] if ln]


def parse_ranks(completion):
    lines = section(completion)
    if not lines:
        return None
    ranks = {}
    for line in lines:
        found = ENTRY.fullmatch(line)
        if not found:
            return None
        name = " ".join(found.group(2).split()).casefold()
        if name in ranks:
            return None
        ranks[name] = int(found.group(1))
    return ranks


def reward(completion, table, rule, **row):
    given = parse_ranks(completion)
    wanted = true_ranks(table, rule)
    if given is None or given.keys() != wanted.keys():
        return 0.0
    share = sum(given[name] == rank for name, rank in wanted.items()) / len(wanted)
    return share if share >= 0.5 else 0.0
