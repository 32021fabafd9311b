"""Score picking plans: feasible trips, walking distance compared with the optimum."""
import re
from functools import lru_cache

PLAN = re.compile(r"<plan>((?:(?!<plan>).)*?)</plan>", re.DOTALL | re.IGNORECASE)
LABEL = re.compile(r"^(?:[-*]\s*)?(?:trip\s*[0-9]+\s*[:.)]|[0-9]+\s*[:.)])", re.IGNORECASE)


def walk(a, b, length, gap):
    """Metres between two spots (aisle, position); aisles join at the front (0) and the back."""
    if a[0] == b[0]:
        return abs(a[1] - b[1])
    across = gap * abs(a[0] - b[0])
    return across + min(a[1] + b[1], 2 * length - a[1] - b[1])


def trip_length(spots, length, gap):
    route = [(1, 0), *spots, (1, 0)]
    return sum(walk(p, q, length, gap) for p, q in zip(route, route[1:]))


@lru_cache(maxsize=512)
def optimum(spots, weights, capacity, length, gap):
    n, dock = len(spots), (1, 0)
    full = 1 << n
    open_tour = [[float("inf")] * n for _ in range(full)]
    for i in range(n):
        open_tour[1 << i][i] = walk(dock, spots[i], length, gap)
    for mask in range(1, full):
        for i in range(n):
            here = open_tour[mask][i]
            for j in range(n):
                if here < float("inf") and not mask >> j & 1:
                    step = here + walk(spots[i], spots[j], length, gap)
                    if step < open_tour[mask | 1 << j][j]:
                        open_tour[mask | 1 << j][j] = step
    best = [0] + [float("inf")] * (full - 1)
    for mask in range(1, full):
        if sum(weights[i] for i in range(n) if mask >> i & 1) <= capacity:
            best[mask] = min(open_tour[mask][i] + walk(spots[i], dock, length, gap) for i in range(n))
        sub = (mask - 1) & mask
        while sub:
            best[mask] = min(best[mask], best[sub] + best[mask ^ sub])
            sub = (sub - 1) & mask
    return best[-1]


def parse_plan(completion):
    blocks = PLAN.findall(completion)
    if not blocks:
        return None
    trips = []
    for line in blocks[-1].splitlines():
        line = line.strip()
        if not line:
            continue
        body = LABEL.sub("", line)
        codes = [c.upper() for c in re.split(r"->|→|[,\s]+", body) if c]
        if not codes:
            return None
        trips.append(codes)
    return trips


def reward(completion, items, capacity, aisle_length, aisle_gap, **row):
    trips = parse_plan(completion)
    if not trips:
        return 0.0
    stock = {i["code"]: ((i["aisle"], i["position"]), i["kg"]) for i in items}

    picked = [code for trip in trips for code in trip]
    if sorted(picked) != sorted(stock):
        return 0.0
    if any(sum(stock[c][1] for c in trip) > capacity for trip in trips):
        return 0.0

    total = sum(trip_length([stock[c][0] for c in trip], aisle_length, aisle_gap) for trip in trips)
    best = optimum(
        tuple(spot for spot, _ in stock.values()),
        tuple(kg for _, kg in stock.values()),
        capacity, aisle_length, aisle_gap,
    )
    if total == best:
        return 1.0
    return 0.4 if 10 * total <= 11 * best else 0.0
