"""Grader for musical intervals: name an interval, or find the note at an interval.

Spelling counts: an augmented fourth is no diminished fifth, F#4 is no Gb4.
"""
import re

LETTERS = "CDEFGAB"
NATURAL = (0, 2, 4, 5, 7, 9, 11)
PERFECT = {1, 4, 5, 8}
ACCIDENTALS = {
    "": 0, "#": 1, "♯": 1, "sharp": 1, "b": -1, "♭": -1, "flat": -1,
    "x": 2, "##": 2, "♯♯": 2, "𝄪": 2, "doublesharp": 2,
    "bb": -2, "♭♭": -2, "𝄫": -2, "doubleflat": -2,
}
SIGN = r"\s*(?:##?|♯♯?|bb?|♭♭?|x|𝄪|𝄫)?\s*"
SIGN_WORDS = r"[\s-]*(?i:double[\s-]+)?(?i:sharp|flat)[\s-]*"
QUALITY_WORDS = {
    "major": "M", "maj": "M", "minor": "m", "min": "m", "perfect": "P", "perf": "P",
    "augmented": "A", "aug": "A", "diminished": "d", "dim": "d",
}
NUMBER_WORDS = {
    "unison": 1, "prime": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5,
    "sixth": 6, "seventh": 7, "octave": 8,
    "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5, "6th": 6, "7th": 7, "8th": 8,
}


def parse_note(text):
    """'E flat 4' -> (staff position, semitones above C0), or None."""
    match = re.fullmatch(f"([A-G])({SIGN}|{SIGN_WORDS})([0-9])", text)
    if not match:
        return None
    letter, sign, octave = match.groups()
    sign = ACCIDENTALS[re.sub(r"[\s-]+", "", sign).lower()]
    step = LETTERS.index(letter)
    position = int(octave) * 7 + step
    return position, int(octave) * 12 + NATURAL[step] + sign


def parse_interval(text):
    """'minor 3rd', 'm3' -> ('m', 3), or None."""
    match = re.fullmatch(r"(?:([A-Za-z]+)[\s-]+|([MmPAd]|[A-Za-z]+?)(?=[0-9]))([0-9A-Za-z]+)", text)
    if not match:
        return None
    word, number = match.group(1) or match.group(2), match.group(3).lower()
    quality = word if word in ("M", "m", "P", "A", "d") else QUALITY_WORDS.get(word.lower())
    size = int(number) if re.fullmatch(r"[1-8]", number) else NUMBER_WORDS.get(number)
    return (quality, size) if quality and size else None


def interval_between(low, high):
    size = high[0] - low[0] + 1
    usual = NATURAL[(size - 1) % 7] + 12 * ((size - 1) // 7)
    shift = (high[1] - low[1]) - usual
    if size in PERFECT:
        return {-1: "d", 0: "P", 1: "A"}[shift], size
    return {-2: "d", -1: "m", 0: "M", 1: "A"}[shift], size


def last_answer(completion):
    found = re.findall(r"<answer>(.*?)</answer>", completion, flags=re.S | re.I)
    return found[-1].strip().removesuffix(".").strip() if found else ""


def reward(completion, kind, given, **row) -> float:
    answer = last_answer(completion)
    if kind == "name":
        low, high = (parse_note(note) for note in given)
        return 1.0 if parse_interval(answer) == interval_between(low, high) else 0.0
    note = parse_note(answer)
    start, direction, interval = parse_note(given[0]), given[1], parse_interval(given[2])
    if note is None:
        return 0.0
    low, high = (start, note) if direction == "above" else (note, start)
    if high[0] - low[0] + 1 != interval[1]:
        return 0.0
    try:
        return 1.0 if interval_between(low, high) == interval else 0.0
    except KeyError:
        return 0.0
