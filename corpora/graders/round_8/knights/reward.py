"""Reward for knights and knaves. Knights only say true things, knaves only false ones.

The puzzles are stored as the claims themselves, so that any consistent assignment
is accepted and no solution is stored.
"""
import json
import re

BLOCK = re.compile(r"<answer>(.*?)</answer>", re.S | re.I)
LINE = re.compile(r"^\W*([A-Za-z]+)\W*?[:=]\W*(?:a\s+)?(knight|knave)\W*$", re.I)


def holds(claim, is_knight):
    """Truth of a claim such as ["and", ["knight", "Ann"], ["knave", "Bob"]]."""
    op, *args = claim
    if op == "knight":
        return is_knight[args[0]]
    if op == "knave":
        return not is_knight[args[0]]
    if op == "same":
        return is_knight[args[0]] == is_knight[args[1]]
    if op == "knaves":  # exactly n knaves in all
        return sum(not k for k in is_knight.values()) == args[0]
    if op == "if":
        return not holds(args[0], is_knight) or holds(args[1], is_knight)
    if op == "and":
        return all(holds(a, is_knight) for a in args)
    if op == "or":
        return any(holds(a, is_knight) for a in args)
    raise ValueError(f"unknown claim {op!r}")


def parse(completion, people):
    """Name -> True for a knight; None unless every person is settled exactly once."""
    blocks = BLOCK.findall(completion)
    if not blocks:
        return None
    names = {p.lower(): p for p in people}
    found = {}
    for line in blocks[-1].strip().splitlines():
        if not line.strip():
            continue
        m = LINE.match(line.strip())
        if not m or m.group(1).lower() not in names:
            return None
        name = names[m.group(1).lower()]
        if name in found:
            return None
        found[name] = m.group(2).lower() == "knight"
    return found if len(found) == len(people) else None


def reward(completion, people, claims, **_):
    """1.0 if each speaker's claim is true exactly when the speaker is a knight.

    claims: JSON text of a list of [speaker, claim].
    """
    is_knight = parse(completion, people)
    if is_knight is None:
        return 0.0
    for speaker, claim in json.loads(claims):
        if holds(claim, is_knight) != is_knight[speaker]:
            return 0.0
    return 1.0
