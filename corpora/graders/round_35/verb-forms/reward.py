"""Conjugated verb forms in several languages; accents and capitals are not insisted on."""
import re
import unicodedata

LINE = re.compile(r"^[ \t]*Form:[ \t]*(.*?)[ \t]*$", re.M)
QUOTES = "\"'“”„«»‘’"


def fold(text):
    """Lower case, without accents, single spaces."""
    text = unicodedata.normalize("NFKD", text)
    text = text.encode("ascii", "ignore").decode("ascii")
    return " ".join(text.lower().split())


def last_form(completion):
    """Text of the last Form line without surrounding quotes and full stop, or None."""
    lines = LINE.findall(completion.replace("\r\n", "\n"))
    if not lines:
        return None
    text = lines[-1]
    if text.endswith("."):
        text = text[:-1].rstrip()
    if len(text) >= 2 and text[0] in QUOTES and text[-1] in QUOTES:
        text = text[1:-1].strip()
    return text or None


def accepted(forms):
    """Folded spellings of all forms listed for the row."""
    return {fold(form) for form in forms}


def single_word(text):
    """One verb form: letters only, no pronoun, no alternatives."""
    letters = unicodedata.normalize("NFC", text)
    return bool(letters) and all(
        ch.isalpha() or unicodedata.category(ch) == "Mn" for ch in letters
    )


def reward(completion, forms, **row) -> float:
    text = last_form(completion)
    if text is None:
        return 0.0
    if not single_word(text):
        return 0.0
    return 1.0 if fold(text) in accepted(forms) else 0.0
