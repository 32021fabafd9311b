"""Image distance and magnification for one thin lens or mirror."""
import re
from fractions import Fraction

TO_CM = {"mm": Fraction(1, 10), "cm": Fraction(1), "m": Fraction(100)}
CONVERGING = {"convex lens", "concave mirror"}
TOLERANCE = 0.01
DASHES = str.maketrans({"–": "-", "—": "-", "‐": "-", "‑": "-"})

LENGTH = re.compile(r"([-+]?\s?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))\s*(mm|cm|m)")
RATIO = re.compile(r"([-+]?\s?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))\s*(?:x|×)?")


def field(completion, name):
    """Text after the last line that starts with the name, without markup."""
    pattern = rf"^[ \t*$]*{re.escape(name)}[ \t*$]*[:=](.*)$"
    lines = re.findall(pattern, completion, re.M)
    if not lines:
        return ""
    return re.sub(r"[*$`]", "", lines[-1]).translate(DASHES).strip().rstrip(".")


def number(text):
    return float(text.replace(" ", ""))


def read_length(text):
    """Length in cm, or None."""
    match = LENGTH.fullmatch(text)
    if match is None:
        return None
    return number(match.group(1)) * float(TO_CM[match.group(2)])


def read_ratio(text):
    match = RATIO.fullmatch(text)
    return number(match.group(1)) if match else None


def image(element, focal_cm, object_cm):
    """Signed image distance in cm and signed magnification."""
    f = Fraction(focal_cm) if element in CONVERGING else -Fraction(focal_cm)
    d_o = Fraction(object_cm)
    d_i = 1 / (1 / f - 1 / d_o)
    return float(d_i), float(-d_i / d_o)


def close(got, want):
    return got is not None and abs(got - want) <= TOLERANCE * abs(want) + 1e-12


def reward(completion, element, focal_cm, object_cm, **row):
    d_i, m = image(element, focal_cm, object_cm)
    distance_ok = close(read_length(field(completion, "d_i")), d_i)
    ratio_ok = close(read_ratio(field(completion, "m")), m)
    return 0.5 * distance_ok + 0.5 * ratio_ok
