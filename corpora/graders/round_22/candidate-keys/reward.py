"""Reward for relational design: all candidate keys and the highest normal form.

Half of the reward is for the keys, half for the normal form.  Both are worked
out here from the attributes and the functional dependencies of the row.
"""
import re
from itertools import combinations

KEYS_LINE = re.compile(r"keys\s*:\s*(.*)", re.IGNORECASE)
NF_LINE = re.compile(r"nf\s*:\s*(1NF|2NF|3NF|BCNF)\s*\.?", re.IGNORECASE)
NF_ANY = re.compile(r"nf\s*:.*", re.IGNORECASE)
BRACES = re.compile(r"\{([^{}]*)\}")


def closure(attrs, fds):
    known = set(attrs)
    grew = True
    while grew:
        grew = False
        for left, right in fds:
            if known.issuperset(left) and not known.issuperset(right):
                known.update(right)
                grew = True
    return known


def candidate_keys(attributes, fds):
    everything = set(attributes)
    keys = []
    for size in range(1, len(attributes) + 1):
        for combo in combinations(attributes, size):
            chosen = frozenset(combo)
            if any(k <= chosen for k in keys):
                continue
            if closure(chosen, fds) == everything:
                keys.append(chosen)
    return set(keys)


def normal_form(attributes, fds, keys):
    everything = set(attributes)
    prime = set().union(*keys)
    single = [(set(l), a) for l, r in fds for a in r if a not in l]
    violations = [(l, a) for l, a in single if closure(l, fds) != everything]
    if not violations:
        return "BCNF"
    if all(a in prime for _, a in violations):
        return "3NF"
    for key in keys:
        for size in range(1, len(key)):
            for part in combinations(sorted(key), size):
                if closure(part, fds) - set(part) - prime:
                    return "1NF"
    return "2NF"


def last_lines(completion):
    keys_text = nf = None
    for raw in completion.split("\n"):
        line = raw.replace("*", "").replace("`", "").strip()
        m = KEYS_LINE.fullmatch(line)
        if m:
            keys_text = m.group(1)
        if NF_ANY.fullmatch(line):
            m = NF_LINE.fullmatch(line)
            nf = m.group(1).upper() if m else None
    return keys_text, nf


def parse_keys(text, attributes):
    """The set of keys on the line, or None if the line is malformed."""
    names = {a.lower(): a for a in attributes}
    between = BRACES.sub("\0", text).strip().rstrip(".").strip()
    if not re.fullmatch(r"\x00(?:\s*[,;]?\s*(?:and\s+)?\x00)*", between):
        return None
    keys = set()
    for inner in BRACES.findall(text):
        parts = [p.lower() for p in re.split(r"[,\s]+", inner) if p]
        if not parts or any(p not in names for p in parts):
            return None
        keys.add(frozenset(names[p] for p in parts))
    return keys


def reward(completion, attributes, fds, **row):
    keys = candidate_keys(attributes, fds)
    keys_text, nf = last_lines(completion)
    score = 0.0
    if keys_text is not None and parse_keys(keys_text, attributes) == keys:
        score += 0.5
    if nf == normal_form(attributes, fds, keys):
        score += 0.5
    return score
