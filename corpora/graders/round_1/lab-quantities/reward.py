import json
import math
import re

SCALE = {
    "length": {"m": 1.0, "cm": 0.01, "km": 1000.0, "mm": 0.001},
    "time": {"s": 1.0, "ms": 0.001, "min": 60.0, "h": 3600.0},
    "energy": {"J": 1.0, "kJ": 1000.0, "MJ": 1000000.0},
    "force": {"N": 1.0, "kN": 1000.0, "mN": 0.001},
}
LINE = re.compile(r"Answer:[ \t]*([+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?)[ \t]*([A-Za-z]+)\.?")


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    spec = json.loads(ground_truth)
    lines = [ln.strip() for ln in solution_str.split("\n") if ln.strip()]
    m = LINE.fullmatch(lines[-1]) if lines else None
    if m is None or len(m.group(1)) > 60:
        return {"score": 0.0, "parsed": 0}
    factor = SCALE[spec["quantity"]].get(m.group(2))
    value = float(m.group(1))
    if factor is None or not math.isfinite(value):
        return {"score": 0.0, "parsed": 0}
    close = abs(value * factor - spec["si_value"]) <= 0.01 * abs(spec["si_value"]) * (1 + 1e-9)
    return {"score": 1.0 if close else 0.0, "parsed": 1}
