"""Reward for putting the diacritics back into a sentence typed without them."""
import re
import unicodedata

LINE = re.compile(r"restored\s*:\s*(.+)", re.IGNORECASE)
APOSTROPHES = {ord(c): "'" for c in "\u2018\u2019\u02bc"}
WRAPPERS = {
    '"': '"', "'": "'", "\u201c": "\u201d", "\u201d": "\u201d", "\u201e": "\u201c\u201d",
    "\u2018": "\u2019", "\u201a": "\u2018", "\u00ab": "\u00bb", "\u00bb": "\u00ab\u00bb",
}


def tidy(text):
    """Composed form, straight apostrophes, single spaces."""
    text = unicodedata.normalize("NFC", text).translate(APOSTROPHES)
    return " ".join(text.split())


def skeleton(text):
    """The sentence as it would be typed without any diacritic."""
    parts = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(c for c in parts if unicodedata.category(c) != "Mn"))


def unwrap(text):
    """Take off one pair of quotation marks around the whole sentence."""
    if len(text) > 2 and text[-1] in WRAPPERS.get(text[0], ""):
        return text[1:-1].strip()
    return text


def restored_sentence(completion):
    lines = [ln.strip() for ln in completion.replace("**", "").splitlines() if ln.strip()]
    if not lines:
        return None
    found = LINE.fullmatch(lines[-1])
    return tidy(unwrap(found.group(1).strip())) if found else None


def reward(completion, plain, restored, **row):
    answer = restored_sentence(completion)
    if answer is None or skeleton(answer) != tidy(plain):
        return 0.0
    given, wanted = answer.split(" "), tidy(restored).split(" ")
    if len(given) != len(wanted):
        return 0.0
    wrong = sum(a != b for a, b in zip(given, wanted))
    return {0: 1.0, 1: 0.5}.get(wrong, 0.0)
