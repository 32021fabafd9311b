"""Reward for probability questions with an exact rational answer."""
import re
from fractions import Fraction

DIGITS = r"[0-9]{1,30}"
DECIMAL = re.compile(rf"(?:{DIGITS})?\.{DIGITS}|{DIGITS}")
PLAIN_FRACTION = re.compile(rf"({DIGITS})/({DIGITS})")
TEX_FRACTION = re.compile(rf"\\[dt]?frac\{{({DIGITS})\}}\{{({DIGITS})\}}")
CLOSE = Fraction(5, 10000)


def last_boxed(text):
    """Contents of the last complete \\boxed{...}, braces balanced."""
    marker = "\\boxed{"
    end_of_search = len(text)
    while True:
        at = text.rfind(marker, 0, end_of_search)
        if at < 0:
            return None
        depth, start = 1, at + len(marker)
        for i in range(start, len(text)):
            if text[i] == "{":
                depth += 1
            elif text[i] == "}":
                depth -= 1
                if depth == 0:
                    return text[start:i]
        end_of_search = at


def read_number(text):
    """A probability as a Fraction, or None when it is not in an announced form."""
    text = text.strip().strip("$")
    if re.search(r"[0-9.]\s+[0-9.]", text):
        return None
    text = "".join(text.split())
    for pattern in (PLAIN_FRACTION, TEX_FRACTION):
        m = pattern.fullmatch(text)
        if m:
            top, bottom = int(m.group(1)), int(m.group(2))
            return Fraction(top, bottom) if bottom else None
    scale = 1
    if text.endswith("%"):
        text = text[:-1].removesuffix("\\")
        scale = 100
    if DECIMAL.fullmatch(text):
        return Fraction(text if text[0] != "." else "0" + text) / scale
    return None


def reward(completion, answer, **row):
    box = last_boxed(completion)
    if box is None:
        return 0.0
    got = read_number(box)
    if got is None:
        return 0.0
    want = Fraction(answer)
    if got == want:
        return 1.0
    return 0.5 if abs(got - want) <= CLOSE else 0.0
