"""Cheapest one-way route in a small road map (OpenRLHF reward function).

label is a JSON string {"start", "goal", "roads": [[from, to, cost], ...]}.

 1.0  a cheapest route (there may be several)
 0.2  a route that can be driven but costs more
-0.5  anything else behind "Route:" (no such road, wrong start or goal, ...)
-1.0  the last line does not begin with "Route:"
"""
import heapq
import json
import re

EOS = re.compile(r"(<\|im_end\|>|<\|endoftext\|>|<\|eot_id\|>|</s>)\s*\Z")
HEAD = re.compile(r"[*_`\s]*route[*_\s]*:", re.IGNORECASE)
LINE = re.compile(r"[*_`\s]*route[*_\s]*:[*_\s]*(.*?)[*_`\s.]*", re.IGNORECASE)
ARROW = re.compile(r"\s*(?:-+>|→|⟶)\s*")


def cheapest(roads, start, goal):
    best, heap = {}, [(0, start)]
    while heap:
        cost, node = heapq.heappop(heap)
        if node in best:
            continue
        best[node] = cost
        for (a, b), c in roads.items():
            if a == node and b not in best:
                heapq.heappush(heap, (cost + c, b))
    return best[goal]


def score(reply, label):
    spec = json.loads(label)
    roads = {(a.lower(), b.lower()): c for a, b, c in spec["roads"]}
    start, goal = spec["start"].lower(), spec["goal"].lower()

    reply = EOS.sub("", reply.rstrip())
    lines = [l for l in reply.splitlines() if l.strip()]
    if not lines or not HEAD.match(lines[-1]):
        return -1.0
    m = LINE.fullmatch(lines[-1]) if len(lines[-1]) <= 200 else None
    if not m:
        return -0.5
    stops = [s.strip(" \t`*").lower() for s in ARROW.split(m.group(1))]
    if stops[0] != start or stops[-1] != goal or len(set(stops)) != len(stops):
        return -0.5
    total = 0
    for step in zip(stops, stops[1:]):
        if step not in roads:
            return -0.5
        total += roads[step]
    return 1.0 if total == cheapest(roads, start, goal) else 0.2


def reward_func(queries, prompts, labels):
    out = []
    for query, prompt, label in zip(queries, prompts, labels):
        reply = query[len(prompt):] if query.startswith(prompt) else query
        out.append(score(reply, label))
    return out
