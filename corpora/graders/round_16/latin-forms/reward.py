"""Latin inflection: one form, compared without regard to macrons, case, u/v and i/j."""
import re
import unicodedata

LINE = re.compile(r"^[ \t]*(?:\*\*)?Form:(?:\*\*)?[ \t]*(.*?)[ \t]*$", re.M | re.I)
LENGTH_MARKS = {"\u0304", "\u0306"}
LIGATURES = {"æ": "ae", "œ": "oe"}
WRAPPERS = (("**", "**"), ("*", "*"), ("_", "_"), ('"', '"'), ("“", "”"))


def unwrap(text):
    """Emphasis or quotation marks around the whole form."""
    text = text.strip()
    for left, right in WRAPPERS:
        if len(text) > len(left) + len(right) and text.startswith(left) and text.endswith(right):
            return text[len(left):-len(right)].strip()
    return text


def plain(word):
    """Spelling that is compared: lower case, no length marks, i for j and u for v."""
    out = []
    for ch in unicodedata.normalize("NFD", word.lower()):
        if ch in LENGTH_MARKS:
            continue
        out.append(LIGATURES.get(ch, ch))
    return "".join(out).replace("j", "i").replace("v", "u")


def variants(form, also):
    """Every spelling of a right form; `also` holds the by-forms that the task allows."""
    return {plain(item) for item in [form, *also]}


def answer_of(completion):
    lines = LINE.findall(completion.replace("\r\n", "\n"))
    if not lines:
        return None
    text = unwrap(lines[-1])
    if text.endswith("."):
        text = unwrap(text[:-1])
    return text


def reward(completion, form, also=(), **row):
    answer = answer_of(completion)
    if not answer:
        return 0.0
    word = plain(answer)
    if not re.fullmatch(r"[a-z]+", word):
        return 0.0
    return 1.0 if word in variants(form, also) else 0.0
