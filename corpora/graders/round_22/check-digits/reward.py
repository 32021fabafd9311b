"""Reward for completing partly unreadable product and serial codes.

The pattern column holds the code as printed, with "?" for unreadable
characters.  Every completion that agrees with the pattern and satisfies the
check rule of its scheme is right, so nothing is compared with a stored answer.
"""
import re

LENGTHS = {
    "EAN-13": 13,
    "EAN-8": 8,
    "UPC-A": 12,
    "GTIN-14": 14,
    "IMEI": 15,
    "ISBN-10": 10,
    "ISSN": 8,
}
MOD11 = {"ISBN-10", "ISSN"}

LINE = re.compile(r"code\s*:\s*(.*)", re.IGNORECASE)
CODE = re.compile(r"[0-9X](?:[ -]?[0-9X])*")


def extract_code(completion):
    """The code on the last "Code:" line without separators, or None."""
    found = None
    for raw in completion.split("\n"):
        line = raw.replace("*", "").strip()
        m = LINE.fullmatch(line)
        if m:
            found = m.group(1)
    if found is None:
        return None
    found = found.strip().upper()
    if not CODE.fullmatch(found):
        return None
    return re.sub(r"[ -]", "", found)


def gs1_ok(digits):
    total = 0
    for place, d in enumerate(reversed(digits)):
        total += d * (3 if place % 2 else 1)
    return total % 10 == 0


def luhn_ok(digits):
    total = 0
    for place, d in enumerate(reversed(digits)):
        if place % 2:
            d *= 2
            if d > 9:
                d -= 9
        total += d
    return total % 10 == 0


def mod11_ok(values):
    weights = range(len(values), 0, -1)
    return sum(w * v for w, v in zip(weights, values)) % 11 == 0


def checksum_ok(scheme, code):
    if len(code) != LENGTHS[scheme]:
        return False
    body, last = code[:-1], code[-1]
    if "X" in body:
        return False
    if last == "X" and scheme not in MOD11:
        return False
    values = [int(c) for c in body] + [10 if last == "X" else int(last)]
    if scheme in MOD11:
        return mod11_ok(values)
    if scheme == "IMEI":
        return luhn_ok(values)
    return gs1_ok(values)


def agrees(code, pattern):
    if len(code) != len(pattern):
        return False
    return all(p == "?" or p == c for c, p in zip(code, pattern))


def reward(completion, scheme, pattern, **row):
    code = extract_code(completion)
    if code is None or not agrees(code, pattern):
        return 0.0
    return 1.0 if checksum_ok(scheme, code) else 0.0
