"""Networks of resistors: resistance, current, power or voltage, with SI prefixes."""
import re
from fractions import Fraction

LINE = re.compile(r"^[ \t]*Answer:[ \t]*(.*?)[ \t]*$", re.M)
SYMBOL_PREFIX = {"": 0, "u": -6, "µ": -6, "μ": -6, "m": -3, "k": 3, "K": 3, "M": 6}
WORD_PREFIX = {"": 0, "micro": -6, "milli": -3, "kilo": 3, "mega": 6}
SYMBOLS = {"ohm": ("Ω", "\u2126"), "ampere": ("A",), "watt": ("W",), "volt": ("V",)}
WORDS = {
    "ohm": ("ohm", "ohms"),
    "ampere": ("amp", "amps", "ampere", "amperes"),
    "watt": ("watt", "watts"),
    "volt": ("volt", "volts"),
}
NUMBER = re.compile(
    r"(?P<mant>(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,15})(?:\.[0-9]{1,15})?)"
    r"(?:[eE](?P<e>[+-]?[0-9]{1,2})|[ ]?[x×][ ]?10\^(?P<p>[+-]?[0-9]{1,2}))?"
    r"[ ]?(?P<unit>[^0-9].*)"
)
RKM = re.compile(r"([0-9]{1,4})([RkKM])([0-9]{1,4})(?:[ ]?(?:Ω|\u2126|ohms?))?")
TOLERANCE = Fraction(1, 100)


def resistance(net):
    """Nested lists: ["s", ...] in series, ["p", ...] in parallel, numbers in ohms."""
    if not isinstance(net, list):
        return Fraction(net)
    parts = [resistance(part) for part in net[1:]]
    if net[0] == "s":
        return sum(parts)
    return 1 / sum(1 / part for part in parts)


def truth(net, ask, volts):
    total = resistance(net)
    if ask == "ohm":
        return total
    current = Fraction(volts) / total
    if ask == "ampere":
        return current
    if ask == "watt":
        return current * Fraction(volts)
    return current * resistance(net[1])


def unit_exponent(text, ask):
    """Power of ten of a unit such as kΩ or milliamps, None when it is not one for this quantity."""
    for symbol in SYMBOLS[ask]:
        if text.endswith(symbol) and text[:-len(symbol)] in SYMBOL_PREFIX:
            return SYMBOL_PREFIX[text[:-len(symbol)]]
    low = text.lower()
    if ask == "ohm":
        if low in ("kilohm", "kilohms", "megohm", "megohms"):
            return 3 if low.startswith("k") else 6
        match = re.fullmatch(r"([uµμmkKM])[Oo]hms?", text)
        if match:
            return SYMBOL_PREFIX[match[1]]
    for word in WORDS[ask]:
        if low.endswith(word) and low[:-len(word)] in WORD_PREFIX:
            return WORD_PREFIX[low[:-len(word)]]
    return None


def parse(text, ask):
    match = RKM.fullmatch(text)
    if match and ask == "ohm":
        exponent = {"R": 0, "k": 3, "K": 3, "M": 6}[match[2]]
        return Fraction(f"{match[1]}.{match[3]}") * 10 ** exponent
    match = NUMBER.fullmatch(text)
    if match is None:
        return None
    exponent = unit_exponent(match["unit"], ask)
    if exponent is None:
        return None
    exponent += int(match["e"] or match["p"] or 0)
    return Fraction(match["mant"].replace(",", "")) * Fraction(10) ** exponent


def reward(completion, net, ask, volts=None, **row):
    lines = LINE.findall(completion.replace("\r\n", "\n"))
    if not lines:
        return 0.0
    got = parse(lines[-1], ask)
    if got is None:
        return 0.0
    want = truth(net, ask, volts)
    return 1.0 if abs(got - want) <= TOLERANCE * want else 0.0
