"""Reward for designing a compound gear train from a stock of wheels."""
import json
import re
from collections import Counter
from fractions import Fraction

FENCE = re.compile(r"```json[ \t]*\r?\n(.*?)```", re.DOTALL | re.IGNORECASE)
NEAR = 5


def read_stages(completion):
    """List of (driver, driven) pairs, or None if the reply is not as asked."""
    blocks = FENCE.findall(completion)
    source = blocks[-1] if blocks else completion
    try:
        data = json.loads(source)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict):
        return None
    stages = data.get("stages")
    if not isinstance(stages, list) or not 1 <= len(stages) <= 3:
        return None
    pairs = []
    for stage in stages:
        if not isinstance(stage, list) or len(stage) != 2:
            return None
        if any(type(teeth) is not int or teeth <= 0 for teeth in stage):
            return None
        pairs.append(tuple(stage))
    return pairs


def in_stock(pairs, stock):
    need = Counter(teeth for pair in pairs for teeth in pair)
    have = Counter(stock)
    return all(have[teeth] >= k for teeth, k in need.items())


def reward(completion, stock, target, tolerance_percent, stage_limit,
           direction, **row) -> float:
    pairs = read_stages(completion)
    if pairs is None or not in_stock(pairs, stock):
        return 0.0
    # every external mesh reverses the sense of rotation
    turned = "same" if len(pairs) % 2 == 0 else "opposite"
    if direction != "any" and turned != direction:
        return 0.0
    limit = Fraction(stage_limit)
    total = Fraction(1)
    for driver, driven in pairs:
        ratio = Fraction(driven, driver)
        if max(ratio, 1 / ratio) > limit:
            return 0.0
        total *= ratio
    goal = Fraction(target)
    error = abs(total - goal) / goal * 100
    allowed = Fraction(tolerance_percent)
    if error <= allowed:
        return 1.0
    return 0.5 if error <= NEAR * allowed else 0.0
