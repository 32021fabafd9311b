"""Reward for shortest routes in small weighted networks (TRL style)."""
import heapq
import re

ROUTE = re.compile(r"^\W*route\W*?:(.*)$", re.I | re.M)
LENGTH = re.compile(r"^\W*length\W*?:[\s*`]*(\d{1,9})\b(?!\.\d)", re.I | re.M)


def _graph(edges, directed):
    graph = {}
    for a, b, w in edges:
        graph.setdefault(a, {})[b] = w
        graph.setdefault(b, {})
        if not directed:
            graph[b][a] = w
    return graph


def _shortest(graph, start, goal):
    """Length of a shortest route (Dijkstra), or None."""
    done, heap = set(), [(0, start)]
    while heap:
        d, node = heapq.heappop(heap)
        if node == goal:
            return d
        if node in done:
            continue
        done.add(node)
        for other, w in graph[node].items():
            if other not in done:
                heapq.heappush(heap, (d + w, other))
    return None


def _score(text, edges, directed, start, goal):
    routes = ROUTE.findall(text)
    if not routes:
        return 0.0
    route = re.sub(r"[*`]", "", routes[-1]).strip().rstrip(".")
    graph = _graph(edges, directed)
    best = _shortest(graph, start, goal)
    if route.lower() == "none":
        return 1.0 if best is None else 0.0
    lengths = LENGTH.findall(text)
    stops = [s.strip() for s in re.split(r"->|\u2192", route)]
    if not lengths or stops[0] != start or stops[-1] != goal or len(set(stops)) != len(stops):
        return 0.0
    total = 0
    for a, b in zip(stops, stops[1:]):
        if b not in graph.get(a, {}):
            return 0.0
        total += graph[a][b]
    if total != int(lengths[-1]):
        return 0.0
    return 1.0 if total == best else 0.25


def reward(completions, edges, directed, start, goal, **_):
    """1.0 for any shortest route with its length, 0.25 for another real route with
    its length (as the prompt says), else 0.0."""
    texts = [c if isinstance(c, str) else c[-1]["content"] for c in completions]
    return [_score(*row) for row in zip(texts, edges, directed, start, goal)]
