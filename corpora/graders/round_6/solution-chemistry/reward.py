import math
import re

SUPER = str.maketrans("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b\u2212", "0123456789--")
LINE = re.compile(r"^\W*answer\W*:(.*)$", re.I | re.M)
NUMBER = re.compile(
    r"([+-]?\d+(?:\.\d+)?)(?:e([+-]?\d+)|\s*(?:x|\u00d7|\*|\\times)\s*10\s*\^?\s*[{(]?\s*([+-]?\d+)\s*[})]?)?",
    re.I,
)
TOLERANCE = 0.01


def _text(completion):
    if isinstance(completion, str):
        return completion
    return (completion[-1].get("content") or "") if completion else ""


def _value(text):
    lines = LINE.findall(text)
    if not lines:
        return None
    match = NUMBER.search(lines[-1].translate(SUPER))
    if not match:
        return None
    power = int(match.group(2) or match.group(3) or 0)
    if abs(power) > 60:
        return None
    return float(match.group(1)) * 10.0**power


def quantity_reward(prompts, completions, value, **kwargs):
    """1.0 when the stated quantity agrees with the reference within the tolerance."""
    rewards = []
    for completion, want in zip(completions, value):
        got = _value(_text(completion))
        close = got is not None and math.isclose(
            got, want, rel_tol=TOLERANCE, abs_tol=TOLERANCE
        )
        rewards.append(1.0 if close else 0.0)
    return rewards
