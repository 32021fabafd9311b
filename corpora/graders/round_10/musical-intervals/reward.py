"""Interval naming: 'M6', 'p5', 'minor third' ... against the gold short name."""
import re

QUALITIES = {"perfect": "P", "major": "M", "minor": "m", "augmented": "A", "diminished": "d"}
NUMBERS = {"unison": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6,
           "seventh": 7, "octave": 8, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5, "6th": 6,
           "7th": 7, "8ve": 8}
LINE = re.compile(r"interval\s*:\s*(.+)", re.I)


def text_of(completion):
    return completion if isinstance(completion, str) else completion[-1]["content"]


def normalise(name):
    """Bring long and short spellings to one form, e.g. 'Perfect fifth.' -> 'p5'."""
    name = re.sub(r"[*`_.\"'()]", " ", name)
    words = name.lower().split()
    out = ""
    for word in words:
        if word in QUALITIES:
            out += QUALITIES[word]
        elif word in NUMBERS:
            out += str(NUMBERS[word])
        else:
            out += word
    return out.lower()


def reward(completions, interval, **_):
    scores = []
    for completion, gold in zip(completions, interval):
        lines = LINE.findall(text_of(completion))
        if not lines:
            scores.append(0.0)
            continue
        scores.append(1.0 if normalise(lines[-1]) == normalise(gold) else 0.0)
    return scores
