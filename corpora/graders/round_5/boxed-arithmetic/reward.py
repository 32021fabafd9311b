import re
from fractions import Fraction

NUMBER = re.compile(r"[-+]?(?:[0-9]{1,30}(?:\.[0-9]{1,30})?|\.[0-9]{1,30})")
RATIO = re.compile(r"([-+]?)([0-9]{1,30})\s*/\s*([0-9]{1,30})")
FRAC = re.compile(r"([-+]?)\\[dt]?frac\{([-+]?[0-9]{1,30})\}\{([0-9]{1,30})\}")


def last_boxed(text):
    text = re.sub(r"\\boxed\s+\{", r"\\boxed{", text)
    start = text.rfind("\\boxed{")
    if start < 0:
        return None
    i = start + len("\\boxed{")
    depth = 1
    for j in range(i, len(text)):
        if text[j] == "{":
            depth += 1
        elif text[j] == "}":
            depth -= 1
            if depth == 0:
                return text[i:j]
    return None


def to_number(s):
    s = s.strip().replace("\u2212", "-")
    s = re.sub(r"^([-+])\s+", r"\1", s)
    s = re.sub(r"\\([dt]?frac)\s*([0-9])\s*([0-9])$", r"\\\1{\2}{\3}", s)  # \frac58
    if NUMBER.fullmatch(s):
        return Fraction(s)
    m = RATIO.fullmatch(s) or FRAC.fullmatch(s)
    if m and int(m.group(3)) != 0:
        q = Fraction(int(m.group(2)), int(m.group(3)))
        return -q if m.group(1) == "-" else q
    return None


def strip_separators(s):
    s = s.replace("{,}", ",").replace("\\,", "").replace("\\!", "").strip()
    if re.fullmatch(r"[-+\u2212]?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?", s):
        s = s.replace(",", "")
    return s


def boxed_reward(reply, row):
    boxed = last_boxed(reply or "")
    if boxed is None:
        return 0.0
    pred = to_number(strip_separators(boxed))
    gold = to_number(row["answer"])
    if pred is None or gold is None:
        return 0.0
    return 1.0 if pred == gold else 0.0
