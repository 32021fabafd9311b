"""Reward for positional expansions of fractions (repeating block in round brackets)."""
import re
from fractions import Fraction

DIGITS = "0123456789ab"
LINE = re.compile(r"\s*answer\s*:(.*)", re.IGNORECASE)
NUMBER = re.compile(r"(-?)([0-9ab]+)(?:\.([0-9ab]+)|\.([0-9ab]*)\(([0-9ab]+)\))?")
MAX_CHARS = 300


def answer_text(completion):
    """Text of the last `Answer:` line, without markup, or None."""
    found = None
    for line in completion.splitlines():
        m = LINE.fullmatch(re.sub(r"[*`$]", "", line))
        if m:
            found = m.group(1).strip()
    if not found:
        return None
    if found.endswith("."):
        found = found[:-1].rstrip()
    return found.replace("\u2212", "-").lower()


def value_of(text, base):
    """Exact value of an expansion such as -1.0(27), or None if malformed."""
    m = NUMBER.fullmatch(text)
    if not m or len(text) > MAX_CHARS:
        return None
    sign, whole, plain, lead, block = m.groups()
    lead = plain or lead or ""
    block = block or ""
    if any(DIGITS.index(c) >= base for c in whole + lead + block):
        return None
    if len(whole) > 1 and whole[0] == "0":
        return None
    value = Fraction(int(whole, base))
    if lead:
        value += Fraction(int(lead, base), base ** len(lead))
    if block:
        value += Fraction(int(block, base), base ** len(lead) * (base ** len(block) - 1))
    return -value if sign else value


def to_base(n, base):
    out = ""
    while True:
        n, d = divmod(n, base)
        out = DIGITS[d] + out
        if n == 0:
            return out


def shortest(value, base):
    """Shortest expansion, by long division with a table of seen remainders."""
    sign = "-" if value < 0 else ""
    whole, rest = divmod(abs(value.numerator), value.denominator)
    digits, seen = [], {}
    while rest and rest not in seen:
        seen[rest] = len(digits)
        d, rest = divmod(rest * base, value.denominator)
        digits.append(DIGITS[d])
    text = sign + to_base(whole, base)
    if not digits:
        return text
    if not rest:
        return text + "." + "".join(digits)
    cut = seen[rest]
    return f"{text}.{''.join(digits[:cut])}({''.join(digits[cut:])})"


def reward(completion, numerator, denominator, base=10, **row) -> float:
    text = answer_text(completion)
    if text is None:
        return 0.0
    truth = Fraction(numerator, denominator)
    if text == shortest(truth, base):
        return 1.0
    return 0.5 if value_of(text, base) == truth else 0.0
