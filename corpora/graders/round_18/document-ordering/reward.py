"""Reward for arranging the parts of a document under layout rules."""
import re

BLOCK = re.compile(r"<order>((?:(?!</?order>).)*)</order>", re.S | re.I)
SEPARATOR = re.compile(r"(?:[\s,;>\u2192-]|\u2013)+")
ONE_RULE_BROKEN = 0.5


def read_order(completion, letters):
    """Letters of the last block as a list, or None unless each part is there exactly once."""
    blocks = BLOCK.findall(completion)
    if not blocks:
        return None
    tokens = [t.upper() for t in SEPARATOR.split(blocks[-1]) if t]
    if sorted(tokens) != sorted(letters):
        return None
    return tokens


def holds(rule, place, count):
    kind = rule["kind"]
    a = place[rule["a"]]
    if kind == "position":
        wanted = rule["n"] if rule["n"] > 0 else count + 1 + rule["n"]
        return a + 1 == wanted
    b = place[rule["b"]]
    if kind == "before":
        return a < b
    if kind == "next":
        return b == a + 1
    if kind == "apart":
        return abs(a - b) > 1
    if kind == "between":
        c = place[rule["c"]]
        return min(b, c) < a < max(b, c)
    raise ValueError(f"unknown rule kind {kind!r}")


def reward(completion, parts, rules, **row):
    order = read_order(completion, list(parts))
    if order is None:
        return 0.0
    place = {letter: i for i, letter in enumerate(order)}
    broken = sum(not holds(rule, place, len(order)) for rule in rules)
    if broken == 0:
        return 1.0
    return ONE_RULE_BROKEN if broken == 1 else 0.0
