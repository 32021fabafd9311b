"""Comparator networks, checked exhaustively on zero-one inputs."""
import json
import re
from itertools import product

FENCE = re.compile(r"```[\w+-]*[ \t]*\r?\n(.*?)```", re.S)


def read_network(completion, wires, base):
    """List of (low, high) pairs counted from 0, or None if it is not a legal network."""
    blocks = FENCE.findall(completion)
    if not blocks:
        return None
    try:
        raw = json.loads(blocks[-1])
    except (ValueError, RecursionError):
        return None
    if not isinstance(raw, list):
        return None
    network = []
    for item in raw:
        if not isinstance(item, list) or len(item) != 2:
            return None
        if any(type(end) is not int for end in item):
            return None
        low, high = item[0] - base, item[1] - base
        if not 0 <= low < high < wires:
            return None
        network.append((low, high))
    return network


def depth(network, wires):
    level = [0] * wires
    for low, high in network:
        level[low] = level[high] = max(level[low], level[high]) + 1
    return max(level, default=0)


def run(network, values):
    values = list(values)
    for low, high in network:
        if values[low] > values[high]:
            values[low], values[high] = values[high], values[low]
    return values


def inputs(kind, wires):
    for bits in product((0, 1), repeat=wires):
        if kind == "merge":
            half = wires // 2
            if list(bits[:half]) != sorted(bits[:half]) or list(bits[half:]) != sorted(bits[half:]):
                continue
        yield bits


def fulfils(kind, bits, out):
    want = sorted(bits)
    if kind in ("sort", "merge"):
        return out == want
    if kind == "extremes":
        return out[0] == want[0] and out[-1] == want[-1]
    if kind == "median":
        mid = len(bits) // 2
        return out[mid] == want[mid]
    raise ValueError(kind)


def reward(completion, kind, wires, base, max_comparators, max_depth=None, adjacent=False, **row) -> float:
    if not isinstance(completion, str):
        return 0.0
    network = read_network(completion, wires, base)
    if network is None or len(network) > max_comparators:
        return 0.0
    if adjacent and any(high - low != 1 for low, high in network):
        return 0.0
    if max_depth is not None and depth(network, wires) > max_depth:
        return 0.0
    for bits in inputs(kind, wires):
        if not fulfils(kind, bits, run(network, bits)):
            return 0.0
    return 1.0
