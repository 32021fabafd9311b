import re
from fractions import Fraction

DECIMAL = re.compile(r"[+-]?(?:\d+|\d{1,3}(?:,\d{3})+)?(?:\.\d+)?")
RATIO = re.compile(r"([+-]?\d+)/(-?\d+)")
TEX = re.compile(r"([+-]?)\\[dt]?frac(?:\{([+-]?\d+)\}|(\d))(?:\{(-?\d+)\}|(\d))")


def _text(completion):
    if isinstance(completion, str):
        return completion
    return (completion[-1].get("content") or "") if completion else ""


def _last_box(text):
    start = text.rfind("\\boxed{")
    if start < 0:
        return None
    start += len("\\boxed{")
    depth = 1
    for position in range(start, len(text)):
        if text[position] == "{":
            depth += 1
        elif text[position] == "}":
            depth -= 1
            if depth == 0:
                return text[start:position]
    return None


def _value(inner):
    inner = inner.replace("\u2212", "-").replace("$", "").strip().rstrip(".").strip()
    if re.search(r"\d\s+\d", inner):
        return None
    inner = re.sub(r"\s+", "", inner).replace("{,}", ",")
    if len(inner) > 60 or not inner.isascii():
        return None
    match = TEX.fullmatch(inner)
    if match:
        top = int(match.group(2) or match.group(3))
        bottom = int(match.group(4) or match.group(5))
        sign = -1 if match.group(1) == "-" else 1
        return Fraction(sign * top, bottom) if bottom else None
    match = RATIO.fullmatch(inner)
    if match:
        bottom = int(match.group(2))
        return Fraction(int(match.group(1)), bottom) if bottom else None
    if re.search(r"\d", inner) and DECIMAL.fullmatch(inner):
        return Fraction(inner.replace(",", ""))
    return None


def rational_reward(prompts, completions, answer, **kwargs):
    """1.0 when the last boxed number has exactly the value of the answer."""
    rewards = []
    for completion, want in zip(completions, answer):
        inner = _last_box(_text(completion))
        got = _value(inner) if inner is not None else None
        rewards.append(1.0 if got is not None and got == Fraction(want) else 0.0)
    return rewards
