import json
import math
import re


def _box(data):
    if not isinstance(data, list) or len(data) != 4:
        return None
    for v in data:
        if isinstance(v, bool) or not isinstance(v, (int, float)) or not math.isfinite(v) or abs(v) > 1e6:
            return None
    x1, y1, x2, y2 = data
    return (x1, y1, x2, y2) if x2 > x1 and y2 > y1 else None


def _iou(a, b):
    w = min(a[2], b[2]) - max(a[0], b[0])
    h = min(a[3], b[3]) - max(a[1], b[1])
    if w <= 0 or h <= 0:
        return 0.0
    inter = w * h
    union = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - inter
    return inter / union


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    tags = re.findall(r"<answer>([^<]*)</answer>", solution_str)
    if len(tags) != 1:
        return 0.0
    try:
        box = _box(json.loads(tags[0]))
    except (ValueError, OverflowError, RecursionError):
        return 0.0
    return float(_iou(box, json.loads(ground_truth))) if box else 0.0
