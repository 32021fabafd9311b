"""Fastest route between two routers of a site."""
import heapq
import re

ROUTE = re.compile(r"^[ \t*_]*route[ \t*_]*:(.*)$", re.I | re.M)
LATENCY = re.compile(r"^[ \t*_]*latency[ \t*_]*:(.*)$", re.I | re.M)
HOP_SEP = re.compile(r"\s*(?:->|\u2192|>|,)\s*")
MS = re.compile(r"([0-9]{1,6})(?:\.0+)?\s*(?:ms|milliseconds?)?", re.I)

_graphs = {}


def graph_of(site, links, down):
    """Adjacency map {router: {neighbour: ms}} of the working links."""
    if site not in _graphs:
        dead = {frozenset(pair) for pair in down}
        graph = {}
        for a, b, ms in links:
            graph.setdefault(a, {})
            graph.setdefault(b, {})
            if frozenset((a, b)) not in dead:
                graph[a][b] = ms
                graph[b][a] = ms
        _graphs[site] = graph
    return _graphs[site]


def fastest(graph, src, dst):
    best = {src: 0}
    heap = [(0, src)]
    while heap:
        cost, node = heapq.heappop(heap)
        if node == dst:
            return cost
        if cost > best[node]:
            continue
        for nxt, ms in graph[node].items():
            if cost + ms < best.get(nxt, float("inf")):
                best[nxt] = cost + ms
                heapq.heappush(heap, (cost + ms, nxt))
    return None


def last_field(pattern, completion):
    found = pattern.findall(completion)
    return found[-1].strip(" \t\r*_`.") if found else ""


def route_cost(graph, hops):
    total = 0
    for a, b in zip(hops, hops[1:]):
        if b not in graph.get(a, {}):
            return None
        total += graph[a][b]
    return total


def reward(completion, site, links, down, src, dst, **row) -> float:
    graph = graph_of(site, links, down)
    best = fastest(graph, src, dst)
    route = last_field(ROUTE, completion)
    stated = MS.fullmatch(last_field(LATENCY, completion))
    if best is None:
        return 1.0 if route.lower() == "unreachable" else 0.0
    hops = [hop.upper() for hop in HOP_SEP.split(route)]
    if hops[0] != src or hops[-1] != dst:
        return 0.0
    cost = route_cost(graph, hops)
    if cost is None or cost != best:
        return 0.0
    return 1.0 if stated and int(stated.group(1)) == best else 0.5
