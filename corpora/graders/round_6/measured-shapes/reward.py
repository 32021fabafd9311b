import re

LINE = re.compile(r"^[ \t*_]*answer[ \t*_]*:[ \t*_]*(.*?)[ \t*_.]*$", re.I | re.M)
QUANTITY = re.compile(
    r"((?:[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)(?:\.[0-9]+)?(?:e[+-]?[0-9]{1,2})?)"
    r"\s*(mm|cm|m|km)\s*(?:\^?\s*\{?([123])\}?)?"
)
METRES = {"mm": 0.001, "cm": 0.01, "m": 1.0, "km": 1000.0}
POWERS = str.maketrans("\u00b2\u00b3", "23")
TOLERANCE = 0.005


def _text(completion):
    if isinstance(completion, str):
        return completion
    return (completion[-1].get("content") or "") if completion else ""


def _quantity(text):
    lines = LINE.findall(text)
    if not lines:
        return None
    match = QUANTITY.fullmatch(lines[-1].translate(POWERS).lstrip("~\u2248 "))
    if not match:
        return None
    power = int(match.group(3) or 1)
    return float(match.group(1).replace(",", "")) * METRES[match.group(2)] ** power, power


def shape_reward(prompts, completions, value, dimension, **kwargs):
    """1.0 for a quantity within 0.5 % of `value` metres to the power `dimension`."""
    rewards = []
    for completion, want, power in zip(completions, value, dimension):
        got = _quantity(_text(completion))
        good = (
            got is not None
            and got[1] == power
            and abs(got[0] - want) <= TOLERANCE * abs(want)
        )
        rewards.append(1.0 if good else 0.0)
    return rewards
