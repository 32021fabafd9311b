"""F1 reward for list questions, with aliases ("name|other name")."""
import re
import unicodedata

LINE = re.compile(r"^\W*answer\W*?:(.*)$", re.IGNORECASE | re.MULTILINE)


def norm(text):
    text = unicodedata.normalize("NFKD", text.casefold())
    text = "".join(c for c in text if not unicodedata.combining(c))
    text = re.sub(r"[^\w\s-]", "", text)
    return " ".join(text.split())


def alias_table(items):
    table = {}
    for index, item in enumerate(items):
        for alias in item.split("|"):
            table[norm(alias)] = index
    return table


def split_items(line):
    parts = [norm(p) for p in line.split(",")]
    parts = [re.sub(r"^and ", "", p) for p in parts]
    return [p for p in parts if p]


def reward(completion, items, **row):
    found = LINE.findall(completion or "")
    if not found:
        return 0.0
    predicted = split_items(found[-1])
    if not predicted:
        return 0.0
    table = alias_table(items)
    hits = sum(1 for p in predicted if p in table)
    if hits == 0:
        return 0.0
    precision = hits / len(predicted)
    recall = min(1.0, hits / len(items))
    return 2 * precision * recall / (precision + recall)
