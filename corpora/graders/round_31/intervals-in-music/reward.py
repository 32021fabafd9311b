"""Spelling of musical intervals with octave numbers (C4 = middle C).

Two kinds of rows: "note" asks for the note at an interval from a given
note, "name" asks for the interval between two notes. The truth is computed.
"""
import re

LETTERS = "CDEFGAB"
NATURAL = [0, 2, 4, 5, 7, 9, 11]
MAJOR_OR_PERFECT = [0, 2, 4, 5, 7, 9, 11, 12]
PERFECT = {1, 4, 5, 8}
ACCIDENTALS = {"": 0, "#": 1, "##": 2, "x": 2, "b": -1, "bb": -2}
SIGNS = str.maketrans({"♯": "#", "♭": "b", "𝄪": "x", "𝄫": "bb"})
NOTE = re.compile(r"([A-G])(##|#|x|bb|b)?([0-9])")
SHORT = re.compile(r"([PMmAd])([1-8])")
QUALITIES = {"perfect": "P", "major": "M", "minor": "m",
             "augmented": "A", "diminished": "d"}
NUMBERS = {"unison": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5,
           "sixth": 6, "seventh": 7, "octave": 8, "2nd": 2, "3rd": 3,
           "4th": 4, "5th": 5, "6th": 6, "7th": 7}
ANSWER = re.compile(r"<answer>(.*?)</answer>", re.S)


def parse_note(text):
    """(staff position, semitones) of a note such as F#4, or None."""
    match = NOTE.fullmatch(text.strip().translate(SIGNS))
    if match is None:
        return None
    step, octave = LETTERS.index(match[1]), int(match[3])
    pitch = NATURAL[step] + 12 * octave + ACCIDENTALS[match[2] or ""]
    return step + 7 * octave, pitch


def parse_interval(text):
    """(quality, number) from 'm6' or 'minor sixth', or None."""
    text = text.strip()
    match = SHORT.fullmatch(text)
    if match:
        return match[1], int(match[2])
    words = text.lower().split()
    if len(words) == 2 and words[0] in QUALITIES and words[1] in NUMBERS:
        return QUALITIES[words[0]], NUMBERS[words[1]]
    return None


def size(quality, number):
    base = MAJOR_OR_PERFECT[number - 1]
    if quality in "PM":
        return base
    if quality == "m":
        return base - 1
    if quality == "A":
        return base + 1
    return base - (1 if number in PERFECT else 2)


def name_between(low, high):
    number = high[0] - low[0] + 1
    span = high[1] - low[1]
    allowed = "PAd" if number in PERFECT else "MmAd"
    for quality in allowed:
        if size(quality, number) == span:
            return quality, number
    raise ValueError("no simple interval")


def move(start, quality, number, up):
    sign = 1 if up else -1
    return start[0] + sign * (number - 1), start[1] + sign * size(quality, number)


def reward(completion, kind, first, second, direction, **row):
    found = ANSWER.findall(completion)
    if not found:
        return 0.0
    start = parse_note(first)
    if kind == "note":
        quality, number = parse_interval(second)
        want = move(start, quality, number, direction == "above")
        got = parse_note(found[-1])
    else:
        want = name_between(start, parse_note(second))
        got = parse_interval(found[-1])
    return 1.0 if got is not None and got == want else 0.0
