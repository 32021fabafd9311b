"""Distances in astronomy: one number with a unit, compared with the value computed from the row."""
import math
import re

AU_PER_PC = 206264.806
PC_PER_LY = 0.306601

UNITS = {
    "au": 1 / AU_PER_PC,
    "AU": 1 / AU_PER_PC,
    "ly": PC_PER_LY,
    "light-year": PC_PER_LY,
    "light-years": PC_PER_LY,
    "light years": PC_PER_LY,
    "pc": 1.0,
    "parsec": 1.0,
    "parsecs": 1.0,
    "kpc": 1e3,
    "Mpc": 1e6,
}

TOLERANCE = 0.02

LINE = re.compile(r"^[ \t]*Distance:[ \t]*(.*?)[ \t]*$", re.M)
QUANTITY = re.compile(
    r"(?P<mant>[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?)"
    r"(?:[eE](?P<e>[+-]?[0-9]+)|[ ]*[x×*][ ]*10\^(?P<p>-?[0-9]+))?"
    r"[ ]*(?P<unit>[A-Za-z][A-Za-z -]*)"
)


def true_parsecs(method, data):
    """The distance in parsecs that follows from the data of the task."""
    if method == "parallax":
        return 1000.0 / data["mas"]
    if method == "modulus":
        mu = data["m"] - data["M"] - data.get("A", 0.0)
        return 10 ** ((mu + 5) / 5)
    if method == "hubble":
        return data["v"] / data["H0"] * 1e6
    if method == "angular":
        size_pc = data["size_ly"] * PC_PER_LY
        return size_pc / (data["arcsec"] / AU_PER_PC)
    if method == "light_time":
        light_minutes_per_au = 499.005 / 60
        return data["minutes"] / light_minutes_per_au / AU_PER_PC
    raise KeyError(method)


def parse_quantity(text):
    """Parsecs written in `text`, or None."""
    match = QUANTITY.fullmatch(text.rstrip("."))
    if match is None:
        return None
    factor = UNITS.get(match["unit"].strip())
    if factor is None:
        return None
    exponent = match["e"] or match["p"] or "0"
    mantissa = match["mant"].replace(",", "")
    return float(f"{mantissa}e{exponent}") * factor


def close(a, b, rel=TOLERANCE):
    return abs(a - b) <= rel * max(abs(a), abs(b))


def reward(completion, method, data, **row):
    lines = LINE.findall(completion.replace("\r\n", "\n"))
    if not lines:
        return 0.0
    got = parse_quantity(lines[-1])
    if got is None or math.isnan(got):
        return 0.0
    return 1.0 if close(got, true_parsecs(method, data)) else 0.0
