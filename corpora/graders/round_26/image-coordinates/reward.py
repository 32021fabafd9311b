"""Bounding boxes carried through crops, flips, turns and resizing."""
import re
from fractions import Fraction as F

NUM = r"\s*(-?\d{1,6}(?:\.\d{1,6})?)\s*"
BOX = re.compile(r"^[\s*_`>-]*box[*_`\s]*:[*_`\s]*[\[(]" + ",".join([NUM] * 4) + r"[\])][\s*_`.]*$",
                 re.IGNORECASE)
PIXEL = 1
GOOD_IOU = F(9, 10)


def parse_box(completion):
    """Last BOX line as four exact numbers."""
    found = None
    for line in completion.splitlines():
        match = BOX.match(line.replace("\u2212", "-"))
        if match:
            found = [F(g) for g in match.groups()]
    return found


def to_corners(box, form, width, height):
    a, b, c, d = (F(str(v)) for v in box)
    if form == "xywh":
        return [a, b, a + c, b + d]
    if form == "yolo":
        a, b, c, d = a * width, b * height, c * width, d * height
        return [a - c / 2, b - d / 2, a + c / 2, b + d / 2]
    return [a, b, c, d]


def apply(op, box, width, height):
    """One step on the box and the size of the image."""
    x1, y1, x2, y2 = box
    if op[0] == "hflip":
        return [width - x2, y1, width - x1, y2], width, height
    if op[0] == "vflip":
        return [x1, height - y2, x2, height - y1], width, height
    if op[0] == "rot90cw":
        return [height - y2, x1, height - y1, x2], height, width
    if op[0] == "crop":
        left, top, right, bottom = op[1:]
        w, h = right - left, bottom - top
        clip = lambda v, top_value: min(max(v, F(0)), F(top_value))
        return [clip(x1 - left, w), clip(y1 - top, h), clip(x2 - left, w), clip(y2 - top, h)], w, h
    if op[0] == "resize":
        w, h = op[1:]
        sx, sy = F(w, width), F(h, height)
        return [x1 * sx, y1 * sy, x2 * sx, y2 * sy], w, h
    raise ValueError(op)


def iou(p, q):
    w = min(p[2], q[2]) - max(p[0], q[0])
    h = min(p[3], q[3]) - max(p[1], q[1])
    if w <= 0 or h <= 0:
        return F(0)
    area = lambda b: (b[2] - b[0]) * (b[3] - b[1])
    return w * h / (area(p) + area(q) - w * h)


def reward(completion, size, box, form, ops, **row):
    given = parse_box(completion or "")
    if given is None or given[0] >= given[2] or given[1] >= given[3]:
        return 0.0
    width, height = size
    truth = to_corners(box, form, width, height)
    for op in ops:
        truth, width, height = apply(op, truth, width, height)
    if all(abs(g - t) <= PIXEL for g, t in zip(given, truth)):
        return 1.0
    return 0.5 if iou(given, truth) >= GOOD_IOU else 0.0
