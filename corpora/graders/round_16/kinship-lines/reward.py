"""Lines of kinship in a family tree: a chain of people from one person to another."""
import re

LINE = re.compile(r"^[ \t]*(?:\*\*)?Line:(?:\*\*)?[ \t]*(.*?)[ \t]*$", re.M | re.I)
ARROW = re.compile(r"\s*(?:->|→|>)\s*")


def parents_of(families):
    """child -> its two parents, from rows of [father, mother, [children]]."""
    parents = {}
    for father, mother, children in families:
        for child in children:
            parents[child] = (father, mother)
    return parents


def everybody(families):
    people = set()
    for father, mother, children in families:
        people.update([father, mother, *children])
    return people


def parse_line(completion, people):
    """The people named in the last line, spelt as in the tree, or None."""
    found = LINE.findall(completion.replace("\r\n", "\n"))
    if not found:
        return None
    spelling = {name.casefold(): name for name in people}
    names = [part.strip() for part in ARROW.split(found[-1].rstrip("."))]
    chain = [spelling.get(name.casefold()) for name in names]
    return None if None in chain else chain


def directions(chain, parents):
    """'up' or 'down' for every step, None if two neighbours are not parent and child."""
    steps = []
    for here, there in zip(chain, chain[1:]):
        if there in parents.get(here, ()):
            steps.append("up")
        elif here in parents.get(there, ()):
            steps.append("down")
        else:
            return None
    return steps


def reward(completion, families, start, end, **row):
    chain = parse_line(completion, everybody(families))
    if not chain or chain[0] != start or chain[-1] != end:
        return 0.0
    if len(set(chain)) != len(chain):
        return 0.0
    steps = directions(chain, parents_of(families))
    if not steps:
        return 0.0
    turns = sum(1 for a, b in zip(steps, steps[1:]) if a != b)
    return 1.0 if turns <= 1 else 0.0
