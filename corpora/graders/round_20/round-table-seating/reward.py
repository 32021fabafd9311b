"""Seating puzzles at a round table: any seating that meets the clues, and is it the only one."""
from itertools import permutations


def holds(clue, seat, n):
    kind, *who = clue
    if kind == "next":
        a, b = who
        return (seat[a] - seat[b]) % n in (1, n - 1)
    if kind == "apart":
        a, b = who
        return (seat[a] - seat[b]) % n not in (1, n - 1)
    if kind == "opposite":
        a, b = who
        return 2 * ((seat[a] - seat[b]) % n) == n
    if kind == "clockwise":
        a, b = who
        return (seat[b] - seat[a]) % n == 1
    if kind == "between":
        middle, a, b = who
        return {(seat[a] - seat[middle]) % n, (seat[b] - seat[middle]) % n} == {1, n - 1}
    if kind == "pass":
        a, b, k = who
        return (seat[b] - seat[a]) % n == k + 1
    raise ValueError(f"unknown clue {kind!r}")


def satisfied(order, clues):
    seat = {name: i for i, name in enumerate(order)}
    return all(holds(c, seat, len(order)) for c in clues)


def count_seatings(people, clues):
    """Seatings that meet the clues; turning the table does not make a new one."""
    head, *rest = people
    return sum(satisfied((head, *tail), clues) for tail in permutations(rest))


def field(completion, label):
    """Text after the last line that begins with the label, None when there is no such line."""
    value = None
    for raw in completion.splitlines():
        line = raw.replace("*", "").replace("`", "").strip()
        if line.lower().startswith(label):
            value = line[len(label):].strip()
    return value


def read_order(text, people):
    known = {p.lower(): p for p in people}
    parts = [part.strip().lower() for part in text.rstrip(".").split(",")]
    if len(parts) != len(people) or set(parts) != set(known):
        return None
    return [known[part] for part in parts]


def reward(completion, people, clues, **row) -> float:
    table = field(completion, "table:")
    if table is None:
        return 0.0
    order = read_order(table, people)
    if order is None or not satisfied(order, clues):
        return 0.0
    verdict = (field(completion, "seatings:") or "").rstrip(".").lower()
    truth = "one" if count_seatings(people, clues) == 1 else "several"
    return 1.0 if verdict == truth else 0.7
