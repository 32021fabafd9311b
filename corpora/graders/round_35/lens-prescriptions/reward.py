"""Transposing spectacle prescriptions between plus and minus cylinder form, for both eyes."""
import re
from decimal import Decimal

EYE = re.compile(r"^[ \t]*(?P<eye>[RL]):[ \t]*(?P<rx>.*?)[ \t]*$", re.M)
RX = re.compile(
    r"(?P<sph>[+\-−][0-9]{1,2}(?:\.[0-9]{1,2})?|0(?:\.0{1,2})?|plano)"
    r"\s*/\s*(?P<cyl>[+\-−][0-9]{1,2}(?:\.[0-9]{1,2})?)"
    r"\s*[x×]\s*(?P<axis>[0-9]{1,3})°?",
    re.I,
)


def dioptres(text):
    if text.lower() == "plano":
        return Decimal(0)
    return Decimal(text.replace("−", "-"))


def parse_rx(text):
    """(sphere, cylinder, axis) or None; axes are written from 1 to 180."""
    match = RX.fullmatch(text)
    if match is None:
        return None
    axis = int(match["axis"])
    if not 1 <= axis <= 180:
        return None
    return dioptres(match["sph"]), dioptres(match["cyl"]), axis


def parse_reply(completion):
    """Last line of each eye."""
    found = {}
    for match in EYE.finditer(completion.replace("\r\n", "\n")):
        found[match["eye"]] = parse_rx(match["rx"])
    return found


def transpose(sphere, cylinder, axis):
    """The same lens in the other cylinder form: powers swap over, the axis turns by 90 degrees."""
    return sphere + cylinder, -cylinder, (axis + 90) % 180


def expected(rx, over):
    """Over-refraction adds to the sphere only; then change the form."""
    sphere = Decimal(rx["sphere"]) + Decimal(over)
    return transpose(sphere, Decimal(rx["cylinder"]), int(rx["axis"]))


def reward(completion, right, left, over, **row) -> float:
    reply = parse_reply(completion)
    score = 0.0
    for eye, rx in (("R", right), ("L", left)):
        answer = reply.get(eye)
        if answer is not None and answer == expected(rx, over[eye]):
            score += 0.5
    return score
