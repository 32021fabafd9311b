import math
import re
import unicodedata

REL, ABS = 0.005, 0.05
UNITS = {
    "km": ("km", "kilometre", "kilometer", "kilometres", "kilometers"),
    "mi": ("mi", "mile", "miles"),
    "m": ("m", "metre", "meter", "metres", "meters"),
    "ft": ("ft", "foot", "feet"),
    "cm": ("cm", "centimetre", "centimeter", "centimetres", "centimeters"),
    "kg": ("kg", "kilogram", "kilograms"),
    "lb": ("lb", "lbs", "pound", "pounds"),
    "l": ("l", "litre", "liter", "litres", "liters"),
    "degc": ("°c", "c", "degc", "degree celsius", "degrees celsius", "celsius", "deg c", "degrees c"),
    "degf": ("°f", "f", "degf", "degree fahrenheit", "degrees fahrenheit", "fahrenheit", "deg f", "degrees f"),
}
_NAME = {alias: unit for unit, aliases in UNITS.items() for alias in aliases}
_LINE = re.compile(r"^[ \t*_>]*result[ \t*_]*:(.*)$", re.IGNORECASE | re.MULTILINE)
_VALUE = re.compile(
    r"(?:about|approximately|approx\.?|~|≈|=)?\s*"
    r"([-+]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,30})(?:\.[0-9]{1,30})?|[-+]?\.[0-9]{1,30})"
    r"(?:\s*[x×*]\s*10\s*\^?\s*([-+]?[0-9]{1,3})|e([-+]?[0-9]{1,3}))?"
    r"\s*([a-z° .]+)")
_SUP = str.maketrans("⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹", "-+0123456789")


def parse(s):
    if len(s) > 200:
        return None
    s = re.sub("10([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})", lambda m: "10^" + m.group(1).translate(_SUP), s)
    s = s.replace("−", "-").replace("–", "-").replace("º", "°").replace("℃", "°C").replace("℉", "°F").replace("\u00a0", " ").replace("\u202f", " ")
    s = s.lower().strip().strip("*_`").strip()
    m = _VALUE.fullmatch(s)
    if not m:
        return None
    unit = re.sub(r"\s+", " ", m.group(4).replace("° ", "°")).strip(" .")
    if unit not in _NAME:
        return None
    value = float(m.group(1).replace(",", "") + "e" + (m.group(2) or m.group(3) or "0"))
    return (value, _NAME[unit]) if math.isfinite(value) else None


def reward_func(queries, prompts, labels, **kwargs):
    out = []
    for query, prompt, label in zip(queries, prompts, labels):
        lines = _LINE.findall(query[len(prompt):])
        got = parse(lines[0]) if len(lines) == 1 else None
        value, unit = parse(label)
        ok = got is not None and got[1] == unit and abs(got[0] - value) <= max(REL * abs(value), ABS if unit.startswith("deg") else 0.0)
        out.append(1.0 if ok else 0.0)
    return out
