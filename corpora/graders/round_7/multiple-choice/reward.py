"""Multiple choice with an 'I pass' option (TRL signature)."""
import re

ANSWER_LINE = re.compile(r"^[\s*_#>]*answer[\s*_]*:(.*)$", re.IGNORECASE | re.MULTILINE)
PASS_POINTS = 0.2


def as_text(completion):
    if isinstance(completion, str):
        return completion
    if isinstance(completion, list) and completion:
        return completion[-1].get("content") or ""
    return ""


def chosen(text):
    """The single letter (or '?') of the last answer line, else None."""
    lines = ANSWER_LINE.findall(text)
    if not lines:
        return None
    value = lines[-1].strip().strip("*_`").strip()
    value = re.sub(r"^\((.)\)$", r"\1", value)
    value = re.sub(r"^(.)[.)]$", r"\1", value)
    if value == "?":
        return "?"
    if re.fullmatch(r"[A-Za-z]", value):
        return value.upper()
    return None


def score(text, key, options):
    letter = chosen(text)
    if letter is None:
        return 0.0
    if letter == "?":
        return PASS_POINTS
    if ord(letter) - ord("A") >= len(options):
        return 0.0
    return 1.0 if letter in key else 0.0


def reward(completions, key, options, **columns):
    return [score(as_text(c), k, o) for c, k, o in zip(completions, key, options)]
