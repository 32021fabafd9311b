"""Conversion and arithmetic in number bases from 2 to 16."""
import re

LINE = re.compile(r"^[ \t]*answer:(.*)$", re.IGNORECASE | re.MULTILINE)
DIGITS = "0123456789abcdef"
BASE_NOTE = re.compile(r"(?:_\{?[0-9]{1,2}\}?|\(base [0-9]{1,2}\)|base [0-9]{1,2})$")
GROUPING = str.maketrans("", "", " \u202f\u00a0")


def answer_text(completion):
    found = LINE.findall(completion.replace("*", "").replace("`", ""))
    if not found:
        return None
    text = found[-1].strip().lower()
    return text[:-1].rstrip() if text.endswith(".") else text


def split_note(text, base):
    """Take off a base note such as "(base 7)" or "_7"; None when it names another base."""
    note = BASE_NOTE.search(text)
    if note is None:
        return text
    named = int(re.search(r"[0-9]+", note.group()).group())
    return text[:note.start()].strip() if named == base else None


def plain_digits(text):
    """Digits without prefix, grouping or leading zeros."""
    text = text.translate(GROUPING)
    return text.lstrip("0xbo")


def valid(digits, base):
    return bool(digits) and all(d in DIGITS[:base] for d in digits)


def reward(completion, base, target, **row):
    text = answer_text(completion)
    if text is None:
        return 0.0
    text = split_note(text, base)
    if text is None:
        return 0.0
    digits = plain_digits(text)
    if not valid(digits, base):
        return 0.0
    return 1.0 if digits == target.lower() else 0.0
