import re

_UNITS = {}
for _u in ("m/s", "mps", "m/sec", "meter per second", "meters per second", "metre per second",
           "metres per second", "m s^-1", "m·s^-1", "m s⁻¹", "m·s⁻¹"):
    _UNITS[_u] = 1.0
for _u in ("km/h", "kmh", "kph", "km/hr", "kmph", "km/hour", "kilometer per hour", "kilometers per hour",
           "kilometre per hour", "kilometres per hour", "km h^-1", "km·h^-1", "km h⁻¹", "km·h⁻¹"):
    _UNITS[_u] = 1 / 3.6
_LINE = re.compile(r"(?:v\s*(?:=|≈|\\approx)|=|≈|~)?\s*([0-9]{1,9}(?:\.[0-9]{1,15})?)\s*([^\d\s].*)", re.IGNORECASE)


def _speed(text):
    lines = [l for l in text.strip().split("\n") if l.strip()]
    if not lines:
        return None
    line = re.sub(r"\\(?:text|mathrm)\{([^{}]*)\}", r"\1", lines[-1])
    line = re.sub(r"\\frac\{(k?m)\}\{(h|s)\}", r"\1/\2", line)
    line = re.sub(r"^([\s*$]*)\\boxed\{(.*)\}", r"\1\2", line)
    line = re.sub(r"\\[ ,;]|~", " ", line).strip(" \t\r*_$")
    m = _LINE.fullmatch(line.rstrip("."))
    if not m:
        return None
    unit = _UNITS.get(" ".join(m.group(2).lower().strip(" .*_$").split()))
    return None if unit is None else float(m.group(1)) * unit


def speed_reward(prompts, completions, speed, **kwargs):
    """The last line is a value with its unit; the tolerance is relative to the true value."""
    scores = []
    for completion, want in zip(completions, speed):
        got = _speed(completion[-1]["content"])
        ok = got is not None and abs(got - want["si"]) <= (want["rel"] + 1e-9) * want["si"]
        scores.append(1.0 if ok else 0.0)
    return scores
