"""Reward for equivalent-exposure problems: shutter time, f-number or ISO."""
import math
import re

NUMBER = r"[0-9]+(?:\.[0-9]+)?"
SECONDS = re.compile(rf"(?:({NUMBER})\s*/\s*({NUMBER})|({NUMBER}))\s*(?:s|sec|secs|second|seconds)", re.I)
MINUTES = re.compile(rf"({NUMBER})\s*(?:min|mins|minute|minutes)(?:\s*({NUMBER})\s*(?:s|sec|secs|second|seconds))?", re.I)
APERTURE = re.compile(rf"f\s*/?\s*({NUMBER})", re.I)
ISO = re.compile(rf"iso\s*({NUMBER})", re.I)


def final_line(completion):
    text = None
    for line in completion.splitlines():
        line = line.replace("*", "").strip()
        if line.upper().startswith("ANSWER:"):
            text = line[len("ANSWER:"):].strip()
    if text and text.endswith("."):
        text = text[:-1].rstrip()
    return text


def read_time(text):
    m = SECONDS.fullmatch(text)
    if m:
        top, bottom, plain = m.groups()
        if plain is not None:
            return float(plain)
        return float(top) / float(bottom) if float(bottom) else None
    m = MINUTES.fullmatch(text)
    if m:
        return 60 * float(m.group(1)) + float(m.group(2) or 0)
    return None


def read_value(text, unknown):
    if unknown == "time":
        return read_time(text)
    m = (APERTURE if unknown == "aperture" else ISO).fullmatch(text)
    return float(m.group(1)) if m else None


def light(aperture, time, iso):
    """Relative brightness of the picture, without filters or exposure changes."""
    return time * iso / aperture ** 2


def solve(base, new, unknown, filter_stops, brighter):
    goal = light(**base) * 2.0 ** (brighter + filter_stops)
    if unknown == "time":
        return goal * new["aperture"] ** 2 / new["iso"]
    if unknown == "iso":
        return goal * new["aperture"] ** 2 / new["time"]
    return math.sqrt(new["time"] * new["iso"] / goal)


def stops_between(a, b, unknown):
    gap = abs(math.log2(a / b))
    return 2 * gap if unknown == "aperture" else gap


def reward(completion, base, new, unknown, filter_stops, brighter, **row):
    text = final_line(completion)
    if not text:
        return 0.0
    got = read_value(text, unknown)
    if got is None or not 1e-9 < got < 1e9:
        return 0.0
    want = solve(base, new, unknown, filter_stops, brighter)
    off = stops_between(got, want, unknown)
    if off <= 1 / 3 + 1e-9:
        return 1.0
    return 0.25 if off <= 1 + 1e-9 else 0.0
