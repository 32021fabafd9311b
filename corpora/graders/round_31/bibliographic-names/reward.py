"""Author lists in inverted form: 'Surname, F. M. particle, Suffix'.

The expected entries are built from the full names of the row. The credit is
the share of entries that are right in their places.
"""
import re
import unicodedata

LABEL = "Authors:"
SUFFIXES = {"Jr.", "Sr.", "II", "III", "IV"}
SAME = str.maketrans({"’": "'", "ʼ": "'", "‐": "-", "‑": "-"})
SHOWN = 3
LIMIT = 4


def tidy(text):
    text = unicodedata.normalize("NFC", text).translate(SAME)
    return re.sub(r"\s+", " ", text).strip()


def initials(given):
    """'Jean-Paul' -> 'J.-P.'; 'Mary' -> 'M.'; 'J.' -> 'J.'"""
    return "-".join(part[0] + "." for part in given.split("-"))


def invert(full_name):
    words = tidy(full_name).split(" ")
    suffix = words.pop() if words[-1] in SUFFIXES else None
    surname = words.pop()
    particles = []
    while len(words) > 1 and words[-1].islower():
        particles.insert(0, words.pop())
    entry = surname + ", " + " ".join(initials(w) for w in words)
    if particles:
        entry += " " + " ".join(particles)
    if suffix:
        entry += ", " + suffix
    return entry


def expected_entries(authors):
    if len(authors) > LIMIT:
        return [invert(a) for a in authors[:SHOWN]] + ["et al."]
    return [invert(a) for a in authors]


def last_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else ""


def reward(completion, authors, **row):
    line = last_line(completion)
    if not line.startswith(LABEL):
        return 0.0
    got = [tidy(entry) for entry in line[len(LABEL):].split(";")]
    want = expected_entries(authors)
    if len(got) != len(want):
        return 0.0
    right = sum(1 for g, w in zip(got, want) if g == w)
    return right / len(want)
