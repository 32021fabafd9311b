"""Reward for naming the allergens in a list of ingredients.

The fourteen groups of the EU food information regulation are used.  The score is
the F1 of the answer against the allergens of the row.
"""
import re

GROUPS = {
    "gluten": ["gluten", "cereals containing gluten", "wheat", "gluten cereals"],
    "crustaceans": ["crustaceans", "crustacean", "shellfish (crustaceans)"],
    "eggs": ["eggs", "egg"],
    "fish": ["fish"],
    "peanuts": ["peanuts", "peanut"],
    "soy": ["soy", "soya", "soybeans", "soybean"],
    "milk": ["milk", "dairy"],
    "nuts": ["nuts", "tree nuts", "nut", "tree nut"],
    "celery": ["celery"],
    "mustard": ["mustard"],
    "sesame": ["sesame", "sesame seeds", "sesame seed"],
    "sulphites": ["sulphites", "sulfites", "sulphur dioxide", "sulfur dioxide"],
    "lupin": ["lupin", "lupine"],
    "molluscs": ["molluscs", "mollusks", "mollusc", "mollusk"],
}
CANON = {alias: name for name, aliases in GROUPS.items() for alias in aliases}
LINE = re.compile(r"allergens\s*:\s*(.*)", re.IGNORECASE)


def answer_text(completion):
    found = None
    for raw in completion.split("\n"):
        m = LINE.fullmatch(raw.replace("*", "").strip())
        if m:
            found = m.group(1)
    return found


def split_names(text):
    text = text.strip().rstrip(".").lower()
    parts = re.split(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+", text)
    return [" ".join(p.split()) for p in parts if p.strip()]


def parse_answer(text):
    """Names in the answer in canonical form; unknown ones are kept as written."""
    names = split_names(text)
    if names == ["none"]:
        return []
    return [CANON.get(n, n) for n in names]


def f1(named, wanted):
    if not wanted:
        return 1.0 if not named else 0.0
    if not named:
        return 0.0
    hits = sum(1 for n in named if n in wanted)
    return 2 * hits / (len(named) + len(wanted))


def reward(completion, allergens, **row):
    text = answer_text(completion)
    if text is None or not text.strip():
        return 0.0
    return f1(parse_answer(text), set(allergens))
