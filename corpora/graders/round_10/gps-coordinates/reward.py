"""Degrees, minutes, seconds to signed decimal degrees."""
import re

NUMBER = r"([+-]?\d{1,3}(?:\.\d+)?)"
# signed numbers only: a letter N, S, E or W after a number is not accepted
ANSWER = re.compile(
    rf"coordinates\s*:\s*\**\s*[(\[]?\s*{NUMBER}\s*°?\s*,\s*{NUMBER}(?![ \t]*°?[ \t]*[NSEW]|\d|\.\d)", re.I)
TOLERANCE = 0.0005


def _text(completion):
    if isinstance(completion, list):
        return completion[-1]["content"]
    return completion


def parse_answer(text):
    """(lat, lon) from the last 'Coordinates: lat, lon', or None."""
    text = text.replace("−", "-").replace("–", "-")
    found = ANSWER.findall(text)
    if not found:
        return None
    lat, lon = map(float, found[-1])
    if abs(lat) > 90 or abs(lon) > 180:
        return None
    return lat, lon


def close(a, b):
    return abs(a - b) <= TOLERANCE


def reward(completions, lat, lon, **_):
    """1.0 if both coordinates are within 0.0005 degrees of the label."""
    scores = []
    for completion, want_lat, want_lon in zip(completions, lat, lon):
        got = parse_answer(_text(completion))
        if got is None:
            scores.append(0.0)
        else:
            scores.append(float(close(got[0], want_lat) and close(got[1], want_lon)))
    return scores
