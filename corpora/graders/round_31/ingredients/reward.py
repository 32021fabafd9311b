"""Ingredient extraction, scored with the F1 measure.

Every ingredient of the row is a list of accepted names; the first one is the
name in the recipe.
"""
import re
import unicodedata

BLOCK = re.compile(r"<ingredients>(.*?)</ingredients>", re.S | re.I)
BULLET = re.compile(r"^\s*(?:[-*•]|[0-9]+[.)])\s+")


def singular(word):
    """Rough English singular, good enough to compare two spellings."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("oes"):
        return word[:-2]
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def canonical(name):
    name = unicodedata.normalize("NFC", name).casefold()
    name = re.sub(r"[-‐‑\s]+", " ", name).strip(" .,;")
    words = name.split(" ")
    words[-1] = singular(words[-1])
    return " ".join(words)


def read_list(text):
    """Items of the last block, one per line, bullets removed."""
    blocks = BLOCK.findall(text)
    if not blocks:
        return []
    items = []
    for line in blocks[-1].splitlines():
        item = canonical(BULLET.sub("", line))
        if item:
            items.append(item)
    return items


def build_index(ingredients):
    """Map each accepted name to the number of its ingredient."""
    index = {}
    for number, names in enumerate(ingredients):
        for name in names:
            index[canonical(name)] = number
    return index


def f1(items, index, total):
    if not items:
        return 0.0
    found = [index[item] for item in items if item in index]
    hits = len(found)
    if hits == 0:
        return 0.0
    return min(1.0, 2 * hits / (len(items) + total))


def reward(completion, ingredients, **row):
    items = read_list(completion)
    index = build_index(ingredients)
    return round(f1(items, index, len(ingredients)), 4)
