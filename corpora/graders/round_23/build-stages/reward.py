"""Build plans: packages compiled in stages on a limited number of workers."""
import re
from functools import lru_cache

STAGE = re.compile(r"^\s*(?:[-*]\s*)?\**stage\s+([0-9]+)\**\s*:\**(.*)$", re.IGNORECASE)
HEADER = re.compile(r"^[\s#*]*plan[\s*]*:?[\s*]*$", re.IGNORECASE)


@lru_cache(maxsize=None)
def load_graph(spec):
    """'a: b c; b:; c: b' -> {'a': {'b', 'c'}, 'b': set(), 'c': {'b'}}"""
    graph = {}
    for entry in spec.split(";"):
        name, _, needs = entry.partition(":")
        graph[name.strip()] = set(needs.split())
    return graph


def read_stages(completion):
    """Stages after the last PLAN heading, numbered 1, 2, 3 ...; None if malformed."""
    lines = completion.splitlines()
    heads = [i for i, line in enumerate(lines) if HEADER.match(line)]
    if not heads:
        return None
    stages = []
    for line in lines[heads[-1] + 1:]:
        m = STAGE.match(line)
        if m is None:
            continue
        if int(m[1][:6]) != len(stages) + 1:
            return None
        names = re.findall(r"[a-z][a-z0-9-]*", m[2].replace("`", "").lower())
        if not names:
            return None
        stages.append(names)
    return stages or None


def follow(stages, waiting, workers):
    """Run the plan: a package may start once nothing that it waits for is left."""
    waiting = dict(waiting)
    for names in stages:
        if len(names) > workers or len(set(names)) != len(names):
            return False
        for name in names:
            if name not in waiting or waiting[name]:
                return False
        for name in names:
            del waiting[name]
        for needs in waiting.values():
            needs.difference_update(names)
    return not waiting


def reward(completion, needs, workers, max_stages, **row):
    stages = read_stages(completion)
    if stages is None or len(stages) > max_stages:
        return 0.0
    return 1.0 if follow(stages, load_graph(needs), workers) else 0.0
