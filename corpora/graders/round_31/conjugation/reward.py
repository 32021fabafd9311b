"""Spanish verb forms; each row lists every form that is right."""
import re
import unicodedata

LINE = re.compile(r"^[ \t]*Form:(.*)$", re.M | re.I)
PRONOUNS = {
    "1s": ["yo"],
    "2s": ["tú"],
    "3s": ["él", "ella", "usted"],
    "1p": ["nosotros", "nosotras"],
    "2p": ["vosotros", "vosotras"],
    "3p": ["ellos", "ellas", "ustedes"],
}


def clean(text):
    """Lower case, one kind of space, no quotes, asterisks or full stops."""
    text = unicodedata.normalize("NFKD", text).casefold()
    kept = (ch if ch.isalpha() else " " if ch.isspace() else "" for ch in text)
    return " ".join("".join(kept).split())


def drop_pronoun(words, person):
    """Remove a leading subject pronoun if it fits the person."""
    allowed = {clean(p) for p in PRONOUNS[person]}
    if len(words) > 1 and words[0] in allowed:
        return words[1:]
    return words


def read_form(completion, person):
    lines = LINE.findall(completion)
    if not lines:
        return None
    words = drop_pronoun(clean(lines[-1]).split(), person)
    return " ".join(words) or None


def reward(completion, person, forms, **row):
    got = read_form(completion, person)
    if got is None:
        return 0.0
    return 1.0 if got in {clean(form) for form in forms} else 0.0
