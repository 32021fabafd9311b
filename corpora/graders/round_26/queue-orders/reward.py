"""Order of service at a counter: who is called when.

`groups` is the right order as a list of lists: the people inside one
inner list are equal in rank and may be called in any order.
"""
import re

HEADER = re.compile(r"order\s*:(.*)", re.IGNORECASE | re.DOTALL)
ARROWS = re.compile(r"\s*(?:->|→|>)\s*")


def parse_order(completion):
    """Names after the last 'ORDER:' (rest of that line)."""
    last = None
    for line in completion.splitlines():
        line = line.strip().strip("*_` ")
        match = HEADER.match(line.replace("*", ""))
        if match:
            last = match.group(1)
    if last is None:
        return None
    names = [n.strip(" .`_") for n in ARROWS.split(last)]
    return [n for n in names if n]


def same_people(names, people):
    return sorted(n.lower() for n in names) == sorted(p.lower() for p in people)


class Counter:
    """Plays the queue: people leave it as they are called."""

    def __init__(self, groups):
        self.groups = groups

    def current(self):
        for group in self.groups:
            if group:
                return group
        return []

    def call(self, name):
        """Serve `name` if it is their turn."""
        group = self.current()
        for person in group:
            if person.lower() == name.lower():
                group.remove(person)
                return True
        return False

    def waiting(self):
        return sum(len(group) for group in self.groups)


def reward(completion, people, groups, **row):
    names = parse_order(completion or "")
    if not names or not same_people(names, people):
        return 0.0
    counter = Counter(groups)
    for name in names:
        if not counter.call(name):
            break
    served = len(people) - counter.waiting()
    return served / len(people)
