"""Weak points of a road network: bridges and cut nodes, half a point each."""
import json
import re

ANSWER = re.compile(r"<answer>(.*?)</answer>", re.S | re.I)


def parts(nodes, edges):
    """Number of connected parts of an undirected (multi)graph."""
    parent = {n: n for n in nodes}

    def root(n):
        while parent[n] != n:
            parent[n] = parent[parent[n]]
            n = parent[n]
        return n

    for a, b in edges:
        parent[root(a)] = root(b)
    return len({root(n) for n in nodes})


def find_bridges(nodes, edges):
    base = parts(nodes, edges)
    return {
        frozenset(edge)
        for i, edge in enumerate(edges)
        if parts(nodes, edges[:i] + edges[i + 1:]) > base
    }


def find_cut_nodes(nodes, edges):
    base = parts(nodes, edges)
    cut = set()
    for node in nodes:
        rest = [n for n in nodes if n != node]
        if parts(rest, [e for e in edges if node not in e]) > base:
            cut.add(node)
    return cut


def load(completion):
    blocks = ANSWER.findall(completion)
    if not blocks:
        return {}
    text = re.sub(r"^\s*```(?:json)?|```\s*$", "", blocks[-1].strip())
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def as_pairs(value):
    """List of two-name lists -> set of unordered pairs, or None if malformed or repetitive."""
    if not isinstance(value, list):
        return None
    pairs = set()
    for item in value:
        if not (isinstance(item, list) and len(item) == 2 and all(isinstance(x, str) for x in item)):
            return None
        pairs.add(frozenset(x.strip() for x in item))
    return pairs if len(pairs) == len(value) else None


def as_names(value):
    if not isinstance(value, list) or not all(isinstance(x, str) for x in value):
        return None
    names = {x.strip() for x in value}
    return names if len(names) == len(value) else None


def reward(completion, nodes, edges, **row):
    data = load(completion)
    score = 0.0
    if as_pairs(data.get("bridges")) == find_bridges(nodes, edges):
        score += 0.5
    if as_names(data.get("cut_nodes")) == find_cut_nodes(nodes, edges):
        score += 0.5
    return score
