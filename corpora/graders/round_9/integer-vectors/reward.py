"""Reward for finding an integer vector that fulfils stated conditions."""
import re

TAG_RE = re.compile(r"<answer>(.*?)</answer>", re.DOTALL | re.IGNORECASE)
VECTOR_RE = re.compile(r"\s*(?:\(([^()\[\]]*)\)|\[([^()\[\]]*)\])\s*")
INT_RE = re.compile(r"[+-]?\d{1,4}")


def parse_vector(text):
    """'(1, -2, 3)' or '[1, -2, 3]' -> [1, -2, 3]; None for anything else."""
    m = VECTOR_RE.fullmatch(text.replace("−", "-"))
    if not m:
        return None
    parts = (m.group(1) if m.group(1) is not None else m.group(2)).split(",")
    parts = [p.strip() for p in parts]
    if not all(INT_RE.fullmatch(p) for p in parts):
        return None
    return [int(p) for p in parts]


def dot(a, b):
    return sum(p * q for p, q in zip(a, b))


def parallel(a, b):
    return all(
        a[i] * b[j] == a[j] * b[i] for i in range(len(a)) for j in range(i + 1, len(a))
    )


def holds(vector, condition):
    kind = condition["kind"]
    if kind == "dot":
        return dot(vector, condition["with"]) == condition["value"]
    if kind == "length_squared":
        return dot(vector, vector) == condition["value"]
    if kind == "no_zero":
        return all(vector)
    if kind == "opposite":
        # same line, other direction
        other = condition["to"]
        return parallel(vector, other) and dot(vector, other) < 0
    if kind == "not_parallel":
        return not parallel(vector, condition["to"])
    raise ValueError(f"unknown condition {kind}")


def reward(completion, dimension, bound, conditions, **row):
    """1.0 when the vector in the last <answer> meets all conditions, else 0.0."""
    found = TAG_RE.findall(completion)
    vector = parse_vector(found[-1]) if found else None
    if vector is None or len(vector) != dimension:
        return 0.0
    if not any(vector) or max(abs(v) for v in vector) > bound:
        return 0.0
    return 1.0 if all(holds(vector, c) for c in conditions) else 0.0
