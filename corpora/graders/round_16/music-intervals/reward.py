"""Musical intervals: name the interval between two pitches, or the pitch at an interval."""
import re

LETTERS = "CDEFGAB"
SEMITONES = [0, 2, 4, 5, 7, 9, 11]
PERFECT = {0, 3, 4}

ACCIDENTALS = {
    "": 0, "#": 1, "♯": 1, "sharp": 1, "b": -1, "♭": -1, "flat": -1,
    "##": 2, "♯♯": 2, "x": 2, "𝄪": 2, "double sharp": 2, "double-sharp": 2,
    "bb": -2, "♭♭": -2, "𝄫": -2, "double flat": -2, "double-flat": -2,
}
QUALITY_WORDS = {
    "perfect": "P", "perf": "P", "major": "M", "maj": "M", "minor": "m", "min": "m",
    "augmented": "A", "aug": "A", "diminished": "d", "dim": "d",
}
NUMBER_WORDS = ["unison", "second", "third", "fourth", "fifth", "sixth", "seventh", "octave",
                "ninth", "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth"]
LINE = re.compile(r"^[ \t]*(?:\*\*)?Answer:(?:\*\*)?[ \t]*(.*?)[ \t]*$", re.M | re.I)


def ordinal(n):
    return str(n) + {1: "st", 2: "nd", 3: "rd"}.get(n, "th")


NUMBERS = {}
for _n, _word in enumerate(NUMBER_WORDS, 1):
    NUMBERS.update({_word: _n, str(_n): _n, ordinal(_n): _n})


def parse_pitch(text):
    """(diatonic step, accidental) of a pitch such as Eb4 or 'F sharp 5'; None if it is none."""
    match = re.fullmatch(r"([A-Ga-g])[ -]?(.*?)[ ]?([0-9])", text)
    if match is None:
        return None
    accidental = ACCIDENTALS.get(match[2] if len(match[2]) < 3 else match[2].lower())
    if accidental is None:
        return None
    return LETTERS.index(match[1].upper()) + 7 * int(match[3]), accidental


def height(pitch):
    step, accidental = pitch
    return SEMITONES[step % 7] + 12 * (step // 7) + accidental


def offsets(number):
    """Quality -> semitones of an interval of this number."""
    simple = (number - 1) % 7
    base = SEMITONES[simple] + 12 * ((number - 1) // 7)
    if simple in PERFECT:
        return {"d": base - 1, "P": base, "A": base + 1}
    return {"d": base - 2, "m": base - 1, "M": base, "A": base + 1}


def parse_interval(text):
    """(quality, number) of an interval written in words or in short, or None."""
    short = re.fullmatch(r"([PMmAd]) ?([0-9]+)", text)
    if short:
        quality, number = short[1], NUMBERS.get(short[2])
    elif text.lower() in ("octave", "unison"):
        quality, number = "P", NUMBERS[text.lower()]
    else:
        match = re.fullmatch(r"([A-Za-z]+)(?:[ -]?([0-9]+(?:st|nd|rd|th)?)|[ -]([A-Za-z]+))", text)
        if match is None:
            return None
        quality = QUALITY_WORDS.get(match[1].lower())
        number = NUMBERS.get((match[2] or match[3]).lower())
    if quality is None or number is None or quality not in offsets(number):
        return None
    return quality, number


def name_interval(a, b):
    low, high = sorted([a, b], key=lambda p: (p[0], height(p)))
    number = high[0] - low[0] + 1
    span = height(high) - height(low)
    return next((q, number) for q, size in offsets(number).items() if size == span)


def transpose(pitch, interval, direction):
    quality, number = interval
    step = pitch[0] + direction * (number - 1)
    target = height(pitch) + direction * offsets(number)[quality]
    return step, target - height((step, 0))


def reward(completion, kind, pitches, interval=None, **row):
    lines = LINE.findall(completion.replace("\r\n", "\n"))
    if not lines:
        return 0.0
    text = lines[-1].rstrip(".").strip()
    first = parse_pitch(pitches[0])
    if kind == "name":
        want, got = name_interval(first, parse_pitch(pitches[1])), parse_interval(text)
    else:
        direction = 1 if kind == "above" else -1
        want, got = transpose(first, parse_interval(interval), direction), parse_pitch(text)
    return 1.0 if got == want else 0.0
