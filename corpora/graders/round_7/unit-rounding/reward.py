"""Unit conversion: last line 'Answer: <number> <unit>', in the unit asked for."""
import re

# symbols are compared as written (case matters: mW is not MW), names without case
SYMBOLS = {
    "L": ["L", "l"], "mL": ["mL", "ml"], "km": ["km"], "cm": ["cm"], "mm": ["mm"],
    "um": ["µm", "μm", "um"], "degC": ["°C", "degC", "C", "ºC"], "degF": ["°F", "degF", "F", "ºF"],
    "K": ["K"], "kPa": ["kPa"], "m/s": ["m/s", "m s^-1", "m·s^-1"], "mph": ["mph", "mi/h"],
    "km/h": ["km/h", "kph", "kmh", "km/hr"], "kg": ["kg"], "lb": ["lb", "lbs"],
    "ha": ["ha"], "m2": ["m²", "m^2", "m2", "m**2"], "MJ": ["MJ"], "kJ": ["kJ"], "J": ["J"],
    "kW": ["kW"], "lbf ft": ["lbf·ft", "lbf ft", "ft·lbf", "ft lbf", "lb·ft", "lb-ft", "ft-lb",
                             "lb ft", "ft lb", "lbf-ft", "ft-lbf", "ft·lb", "lbf*ft"],
    "min": ["min", "mins"], "kg/m3": ["kg/m³", "kg/m^3", "kg/m3", "kg/m**3", "kg m^-3", "kg·m^-3"],
}
NAMES = {
    "L": "lit(re|er)s?", "mL": "millilit(re|er)s?", "km": "kilomet(re|er)s?",
    "cm": "centimet(re|er)s?", "mm": "millimet(re|er)s?", "um": "micromet(re|er)s?|microns?",
    "degC": "(degrees? )?celsius", "degF": "(degrees? )?fahrenheit", "K": "kelvins?",
    "kPa": "kilopascals?", "m/s": "met(re|er)s per second", "mph": "miles per hour",
    "km/h": "kilomet(re|er)s per hour", "kg": "kilograms?|kilogrammes?", "lb": "pounds?",
    "ha": "hectares?", "m2": "square met(re|er)s?", "MJ": "megajoules?", "kJ": "kilojoules?",
    "J": "joules?", "kW": "kilowatts?", "lbf ft": "pounds?[- ]f(oo|ee)t|f(oo|ee)t[- ]pounds?|pound-force[- ]f(oo|ee)t",
    "min": "minutes?", "kg/m3": "kilograms? per cubic met(re|er)",
}
SUPERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
NUMBER = re.compile(
    r"(?P<mant>[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)"
    r"(?:[eE](?P<exp>[-+]?\d+)|\s*(?:×|x|\*|·)\s*10(?:\^|\*\*)\{?(?P<pow>[-+]?\d+)\}?)?"
)


def parse_quantity(text):
    text = text.replace("−", "-").replace("\u00a0", " ").replace("\u202f", " ").strip()
    text = re.sub(r"10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda m: "10^" + m.group(1).translate(SUPERS), text)
    m = NUMBER.match(text)
    if not m:
        return None, None
    exponent = int(m.group("exp") or m.group("pow") or 0)
    if abs(exponent) > 300:
        return None, None
    value = float(m.group("mant").replace(",", "") + "e%d" % exponent)
    return value, text[m.end():].strip().rstrip(".").strip()


def same_unit(written, unit):
    written = re.sub(r"\s+", " ", written)
    return written in SYMBOLS[unit] or re.fullmatch(NAMES[unit], written.lower()) is not None


def reward(completion, answer, unit, tolerance, **_):
    lines = [line.strip() for line in completion.strip().splitlines() if line.strip()]
    if not lines:
        return 0.0
    last = lines[-1].strip("`$ ")
    last = re.sub(r"^\**\s*answer\s*\**\s*:\s*\**", "Answer:", last, flags=re.I).rstrip("*` ")
    if not last.startswith("Answer:"):
        return 0.0
    value, written = parse_quantity(last[len("Answer:"):].strip("`$ "))
    if value is None or not same_unit(written, unit):
        return 0.0
    return 1.0 if abs(value - answer) <= tolerance * (1 + 1e-9) else 0.0
