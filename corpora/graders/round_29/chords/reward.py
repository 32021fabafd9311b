"""Spells a chord symbol and compares the reply note by note."""
import re

LETTERS = "CDEFGAB"
NATURAL = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}

# quality -> (letter steps above the root, semitones above the root)
QUALITIES = {
    "": [(0, 0), (2, 4), (4, 7)],
    "m": [(0, 0), (2, 3), (4, 7)],
    "dim": [(0, 0), (2, 3), (4, 6)],
    "aug": [(0, 0), (2, 4), (4, 8)],
    "sus2": [(0, 0), (1, 2), (4, 7)],
    "sus4": [(0, 0), (3, 5), (4, 7)],
    "6": [(0, 0), (2, 4), (4, 7), (5, 9)],
    "m6": [(0, 0), (2, 3), (4, 7), (5, 9)],
    "7": [(0, 0), (2, 4), (4, 7), (6, 10)],
    "maj7": [(0, 0), (2, 4), (4, 7), (6, 11)],
    "m7": [(0, 0), (2, 3), (4, 7), (6, 10)],
    "m7b5": [(0, 0), (2, 3), (4, 6), (6, 10)],
    "dim7": [(0, 0), (2, 3), (4, 6), (6, 9)],
    "7b9": [(0, 0), (2, 4), (4, 7), (6, 10), (8, 13)],
    "9": [(0, 0), (2, 4), (4, 7), (6, 10), (8, 14)],
    "add9": [(0, 0), (2, 4), (4, 7), (8, 14)],
}

SYMBOL = re.compile(r"^([A-G])(#|b)?([^/]*)(?:/([A-G])(#|b)?)?$")
NOTE = re.compile(r"^([A-G])(#{1,2}|♯{1,2}|x|𝄪|b{1,2}|♭{1,2}|𝄫)?$")
TAG = re.compile(r"<notes>(.*?)</notes>", re.S)
ALTER = {"#": 1, "♯": 1, "x": 2, "𝄪": 2, "b": -1, "♭": -1, "𝄫": -2}


def shift(accidental):
    return sum(ALTER[ch] for ch in accidental or "")


def pitch_class(note):
    letter, alter = note
    return (NATURAL[letter] + alter) % 12


def spell(symbol):
    letter, acc, quality, bass_letter, bass_acc = SYMBOL.match(symbol).groups()
    root = (letter, shift(acc))
    base = LETTERS.index(letter)
    notes = []
    for step, semis in QUALITIES[quality]:
        name = LETTERS[(base + step) % 7]
        want = (pitch_class(root) + semis) % 12
        alter = (want - NATURAL[name] + 6) % 12 - 6
        notes.append((name, alter))
    if bass_letter:
        bass = (bass_letter, shift(bass_acc))
        notes = [bass] + [n for n in notes if n != bass]
    return notes


def parse(completion):
    found = TAG.findall(completion)
    if not found:
        return None
    tokens = [t for t in re.split(r"[\s,\-–]+", found[-1]) if t]
    notes = []
    for token in tokens:
        m = NOTE.match(token)
        if not m:
            return None
        notes.append((m.group(1), shift(m.group(2))))
    return notes


def reward(completion, symbol, **row):
    got = parse(completion)
    if not got:
        return 0.0
    want = spell(symbol)
    if got == want:
        return 1.0
    if [pitch_class(n) for n in got] == [pitch_class(n) for n in want]:
        return 0.5
    return 0.0
