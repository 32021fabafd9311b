"""Crossword entries: the letters must be right, and so must the division into words when one is written."""
import re
import unicodedata

LINE = re.compile(r"^[ \t]*(?:\*\*)?Entry:(?:\*\*)?[ \t]*(.*?)[ \t]*$", re.M | re.I)
APOSTROPHES = "'’"
HYPHENS = "-‐‑"


def fold(text):
    """Upper case without accents; apostrophes dropped, hyphens and blanks made uniform."""
    out = []
    for ch in unicodedata.normalize("NFD", text):
        if unicodedata.combining(ch) or ch in APOSTROPHES:
            continue
        if ch in HYPHENS:
            ch = "-"
        out.append(ch)
    return re.sub(r"[ \t\u00a0]+", " ", "".join(out)).strip().upper()


def strip_wrapping(text):
    """Bold marks or one pair of quotes around the whole entry."""
    for left, right in (("**", "**"), ('"', '"'), ("“", "”")):
        if len(text) > len(left + right) and text.startswith(left) and text.endswith(right):
            return text[len(left):-len(right)].strip()
    return text


def shape(enumeration):
    """'3,2-4' -> [3, 2, 4] and the separators [' ', '-']."""
    sizes = [int(n) for n in re.findall(r"[0-9]+", enumeration)]
    breaks = [" " if c == "," else "-" for c in re.findall(r"[,-]", enumeration)]
    return sizes, breaks


def laid_out(letters, enumeration):
    """The letters with the separators of the enumeration."""
    sizes, breaks = shape(enumeration)
    out, at = "", 0
    for size, gap in zip(sizes, breaks + [""]):
        out += letters[at:at + size] + gap
        at += size
    return out


def fits(letters, pattern):
    return len(letters) == len(pattern) and all(p in ("_", c) for c, p in zip(letters, pattern))


def reward(completion, enumeration, pattern, entries, **row):
    lines = LINE.findall(completion.replace("\r\n", "\n"))
    if not lines:
        return 0.0
    written = fold(strip_wrapping(lines[-1]))
    if not re.fullmatch(r"[A-Z]+(?:[ -][A-Z]+)*", written):
        return 0.0
    letters = re.sub(r"[ -]", "", written)
    if not fits(letters, pattern):
        return 0.0
    if written not in (letters, laid_out(letters, enumeration)):
        return 0.0
    return 1.0 if letters in entries else 0.1
