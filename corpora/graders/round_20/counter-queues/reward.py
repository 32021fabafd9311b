"""Queue simulation: in which order customers are served, and how long they wait in all."""
import re

_schedules = {}

PICK = {
    "FIFO": lambda c: (c[1], c[0]),
    "LIFO": lambda c: (-c[1], c[0]),
    "SJF": lambda c: (c[2], c[1], c[0]),
}


def simulate(customers, servers, discipline):
    """customers: (name, arrival, service). Nobody is interrupted once service has begun.

    Returns the names in order of beginning service and the sum of the waiting times.
    """
    rank = PICK[discipline]
    pending = list(customers)
    free_at = [0] * servers
    order, total_wait = [], 0
    while pending:
        counter = min(range(servers), key=lambda i: free_at[i])
        now = max(free_at[counter], min(c[1] for c in pending))
        present = [c for c in pending if c[1] <= now]
        chosen = min(present, key=rank)
        pending.remove(chosen)
        order.append(chosen[0])
        total_wait += now - chosen[1]
        free_at[counter] = now + chosen[2]
    return order, total_wait


def schedule(customers, servers, discipline):
    """Simulation result, kept because every row is scored once per sample of its group."""
    people = tuple(tuple(c) for c in customers)
    key = (people, servers)
    if key not in _schedules:
        _schedules[key] = simulate(people, servers, discipline)
    return _schedules[key]


def labelled(completion, label):
    value = None
    for raw in completion.splitlines():
        line = raw.strip().replace("*", "").strip("` ")
        if line.lower().startswith(label):
            value = line[len(label):].strip().rstrip(".")
    return value


def read_order(text):
    return [part.strip().lower() for part in re.split(r",|->|→", text)]


def read_minutes(text):
    m = re.fullmatch(r"([0-9]{1,6})(?:\s*(?:min|minutes?))?", text, re.IGNORECASE)
    return int(m[1]) if m else None


def reward(completion, customers, servers, discipline, **row) -> float:
    order_text = labelled(completion, "order:")
    wait_text = labelled(completion, "total wait:")
    order, total_wait = schedule(customers, servers, discipline)
    score = 0.0
    if order_text is not None and read_order(order_text) == [n.lower() for n in order]:
        score += 0.5
    if wait_text is not None and read_minutes(wait_text) == total_wait:
        score += 0.5
    return score
