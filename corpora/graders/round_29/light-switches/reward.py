"""Lamps and switches: replay the flips, then compare their number with the optimum."""
import re
from itertools import combinations


def last_boxed(text):
    """Content of the last \\boxed{...}, braces balanced."""
    start = text.rfind("\\boxed{")
    if start < 0:
        return None
    i = start + len("\\boxed{")
    depth, out = 1, []
    while i < len(text):
        ch = text[i]
        if ch == "{":
            depth += 1
        elif ch == "}":
            depth -= 1
            if depth == 0:
                return "".join(out)
        out.append(ch)
        i += 1
    return None


def unwrap(content):
    return re.sub(r"\\text\{([^{}]*)\}", r"\1", content).strip().upper()


def bitmask(lamps, order):
    mask = 0
    for lamp in lamps:
        mask ^= 1 << order[lamp]
    return mask


def compile_puzzle(lamps, wiring, start, goal):
    order = {lamp: i for i, lamp in enumerate(lamps)}
    effect = {name.upper(): bitmask(hit, order) for name, hit in wiring.items()}
    return effect, bitmask(start, order) ^ bitmask(goal, order)


def fewest(effect, difference):
    """Smallest number of switches whose joint effect is the difference, or None."""
    names = sorted(effect)
    for size in range(len(names) + 1):
        for chosen in combinations(names, size):
            acc = 0
            for name in chosen:
                acc ^= effect[name]
            if acc == difference:
                return size
    return None


def reward(completion, lamps, wiring, start, goal, **row):
    boxed = last_boxed(completion)
    if boxed is None:
        return 0.0
    reply = unwrap(boxed)
    effect, difference = compile_puzzle(lamps, wiring, start, goal)
    best = fewest(effect, difference)

    if reply == "IMPOSSIBLE":
        return 1.0 if best is None else 0.0
    if best is None:
        return 0.0

    if reply == "NONE":
        flips = []
    else:
        flips = [t for t in re.split(r"[\s,]+", reply) if t]
        if not flips:
            return 0.0
    if len(set(flips)) != len(flips) or any(f not in effect for f in flips):
        return 0.0

    acc = 0
    for f in flips:
        acc ^= effect[f]
    if acc != difference:
        return 0.0
    return 1.0 if len(flips) == best else 0.5
