"""Fastest-route reward: any route of least total time is right, whatever its villages."""
import heapq
import re

LINE = re.compile(r"^[*`\s]*route[*`\s]*:(.*)$", re.IGNORECASE)


def build(edges, directed):
    graph = {}
    for a, b, minutes in edges:
        graph.setdefault(a, {})[b] = minutes
        graph.setdefault(b, {})
        if not directed:
            graph[b][a] = minutes
    return graph


def least_time(graph, start, goal):
    """Dijkstra; None if the goal cannot be reached."""
    queue, done = [(0, start)], set()
    while queue:
        time, here = heapq.heappop(queue)
        if here == goal:
            return time
        if here in done:
            continue
        done.add(here)
        for there, minutes in graph.get(here, {}).items():
            if there not in done:
                heapq.heappush(queue, (time + minutes, there))
    return None


def read_route(completion):
    """List of villages on the last line, [] for `none`, or None if there is no route line."""
    lines = [line for line in completion.strip().splitlines() if line.strip()]
    match = LINE.match(lines[-1]) if lines else None
    if match is None:
        return None
    text = match.group(1).strip(" \t*`.")
    if text.lower() == "none":
        return []
    return [part.strip(" \t*`").capitalize() for part in re.split(r"-+>|→", text)]


def reward(completion, edges, directed, start, goal, **row):
    route = read_route(completion)
    if route is None:
        return 0.0
    graph = build(edges, directed)
    best = least_time(graph, start, goal)
    if best is None or not route:
        return 1.0 if best is None and not route else 0.0
    if route[0] != start or route[-1] != goal:
        return 0.0
    total = 0
    for here, there in zip(route, route[1:]):
        if there not in graph.get(here, {}):
            return 0.0  # no such road, or the wrong way down a one-way road
        total += graph[here][there]
    return 1.0 if total == best else 0.0
